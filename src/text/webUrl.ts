/** UTF-16 units of a URL that is taken for one. */
const maxLength = 8000;

/** Whether a text is one whole http or https URL, without a user name and password. */
export function isWebUrl(text: string): boolean {
  if (text.length > maxLength || !/^https?:\/\/\S+$/i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "";
}
