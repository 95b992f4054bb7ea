/** The number after the `@` in the cell that was clicked, if a picture of a storage was. */
export function placeAt(event: MouseEvent): string | undefined {
  const image = event.target as HTMLImageElement;
  const [, data] = /^data:image\/svg\+xml;base64,(.*)$/.exec(image.src ?? '') ?? [];
  if (!data) {
    return undefined;
  }
  const drawn = new DOMParser().parseFromString(atob(data), 'image/svg+xml');
  const shown = image.getBoundingClientRect();
  const scale = Number(drawn.documentElement.getAttribute('width')) / shown.width;
  const read = (node: Element, name: string) => Number(node.getAttribute(name));
  const holds = (box: Element, x: number, y: number) => {
    const [right, down] = [x - read(box, 'x'), y - read(box, 'y')];
    return right >= 0 && down >= 0 && right < read(box, 'width') && down < read(box, 'height');
  };
  const at = [(event.clientX - shown.left) * scale, (event.clientY - shown.top) * scale] as const;
  const boxes = [...drawn.querySelectorAll('rect')].slice(1).filter(box => holds(box, ...at));
  const inside = (text: Element) => boxes.some(box => holds(box, read(text, 'x'), read(text, 'y')));
  const words = [...drawn.querySelectorAll('text')].filter(inside).map(one => one.textContent!);
  return words.find(text => /^@\d+$/.test(text))?.slice(1);
}
