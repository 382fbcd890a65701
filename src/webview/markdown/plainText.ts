/** UTF-16 units after which further text gets a new box. New text then changes the layout of the last box only. */
const boxLength = 8192;

const blockTags = new Set(
  "P LI UL OL BLOCKQUOTE DIV PRE CODE TABLE TBODY TR TD TH H1 H2 H3 H4 H5 H6 DETAILS DL DT DD".split(" "),
);

/** A block that shows its text without markup. */
export function createPlainText(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const block = document.createElement("div");
  block.className = "plain-text";
  fragment.append(block);
  for (let start = 0; start < text.length; start += boxLength) {
    appendBox(block).appendData(text.slice(start, start + boxLength));
  }
  return fragment;
}

/** Whether these nodes come from `createPlainText`. */
export function isPlainText(nodes: readonly ChildNode[] | undefined): boolean {
  const [node] = nodes ?? [];
  return node instanceof Element && node.className === "plain-text";
}

/** Appends text to the last line of a drawn block. */
export function appendPlainText(node: ChildNode, text: string): void {
  if (node instanceof Element && node.className === "plain-text") {
    const last = node.lastElementChild?.firstChild;
    (last instanceof Text && last.length < boxLength ? last : appendBox(node)).appendData(text);
    return;
  }
  let element = node instanceof Element ? node : node.parentElement;
  for (let inner = element?.lastElementChild; inner && isLastBlock(inner); inner = inner.lastElementChild) {
    element = inner;
  }
  const last = element?.lastChild;
  if (last instanceof Text) {
    last.appendData(text);
  } else {
    element?.append(text);
  }
}

function appendBox(block: Element): Text {
  const text = document.createTextNode("");
  const box = document.createElement("div");
  box.append(text);
  block.append(box);
  return text;
}

function isLastBlock(element: Element): boolean {
  const isBlock = blockTags.has(element.tagName) || element.className === "code-part";
  return isBlock && (element.nextSibling === null || element.nextSibling.textContent?.trim() === "");
}
