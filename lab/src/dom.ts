/** Small words for making a page. */

export type Child = Node | string;

export function h(
  tag: string,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElement {
  const node = document.createElement(tag);
  Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
  node.append(...children.filter(child => child !== ''));
  return node;
}

/** A title, in which `code` stands between backticks. */
export function titled(text: string): HTMLElement {
  const parts = text.split('`').map((part, at) => (at % 2 ? h('code', {}, part) : part));
  return h('span', {}, ...parts);
}

export function button(
  attributes: Record<string, string>,
  press: () => void,
  ...children: Child[]
): HTMLElement {
  const node = h('button', { type: 'button', ...attributes }, ...children);
  node.addEventListener('click', press);
  return node;
}
