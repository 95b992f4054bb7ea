/** Which place of a storage a click on its picture points at. */

/** The number after the `@` in the cell that was clicked, if a picture of a storage was. */
export function placeAt(event: MouseEvent): string | undefined {
  const image = event.target;
  const data = image instanceof HTMLImageElement && /^data:image\/svg\+xml;base64,(.*)$/.exec(image.src);
  if (!data) {
    return undefined;
  }
  const bytes = Uint8Array.from(atob(data[1]), letter => letter.charCodeAt(0));
  const drawn = new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'image/svg+xml');
  const shown = (image as HTMLImageElement).getBoundingClientRect();
  const [, , width, height] = drawn.documentElement.getAttribute('viewBox')!.split(' ').map(Number);
  const x = ((event.clientX - shown.left) / shown.width) * width;
  const y = ((event.clientY - shown.top) / shown.height) * height;
  const read = (node: Element, name: string) => Number(node.getAttribute(name));
  const hit = [...drawn.querySelectorAll('rect')].slice(1).filter(one => {
    const [left, top] = [read(one, 'x'), read(one, 'y')];
    return x >= left && y >= top && x < left + read(one, 'width') && y < top + read(one, 'height');
  });
  const inside = (text: Element) =>
    hit.some(one => {
      const [right, up] = [read(text, 'x') - read(one, 'x'), read(text, 'y') - read(one, 'y')];
      return right >= 0 && up >= 0 && right <= read(one, 'width') && up <= read(one, 'height');
    });
  const said = [...drawn.querySelectorAll('text')].filter(inside).map(one => one.textContent ?? '');
  return said.find(text => /^@\d+$/.test(text))?.slice(1);
}
