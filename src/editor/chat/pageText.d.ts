/** A source file of the page, as a text that runs or is worn there (`build/pageTexts`). */
declare module "page:*" {
  const text: string;
  export default text;
}
