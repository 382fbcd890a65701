/** Short answers in Markdown; `{quote}` stands for the start of the message. */
export const shortAnswers: readonly string[] = [
  "Thank you for your message.\n\n> {quote}\n\nI read it from start to end. The connection **works**, and this answer was made by the reference service.\n",
  "You wrote:\n\n> {quote}\n\nThree things are certain now:\n\n1. your message arrived,\n2. the key was accepted,\n3. this answer found its way back.\n",
  "Good to hear from you.\n\n> {quote}\n\nA real model would say more. Write `/rich` for tables, lists and code, or `/long 10000` for many words.\n",
  'Here is what I understood:\n\n> {quote}\n\nThe same message always gets *this same answer*, which makes it easy to test with.\n\n```ts\nconst answer = "the same each time";\n```\n',
];
