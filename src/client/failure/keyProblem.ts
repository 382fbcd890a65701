/** What can be wrong with a key before it is sent; `connection/setup/keyHygiene.ts` finds it. */

/** What was taken off a pasted key. */
export type KeyMend =
  | "blank-around"
  | "blank-inside"
  | "line-break"
  | "quotes"
  | "bearer"
  | "header-name"
  | "variable-name"
  | "json"
  | "invisible"
  | "label"
  | "markup"
  /** Words, a command or code before or after it. */
  | "surroundings";

/** Why nothing can be made of a pasted key. */
export type KeyProblem =
  | "empty"
  /** Characters that no header can carry, and that no rule here explains. */
  | "not-ascii"
  | "url"
  /** An e-mail address, with or without a password. */
  | "login"
  /** A JSON web token or a session cookie: a console's, not the API's. */
  | "session-token"
  /** Dots, stars or an ellipsis in the place of characters. */
  | "masked"
  /** A user name and its password, as `Authorization: Basic` carries them. */
  | "password"
  /** Two keys or more, of which none is chosen. */
  | "several"
  /** A text in which no key is certain. */
  | "prose";

/** Why the editor's secret store gave no key where there should be one. */
export type KeyStoreProblem =
  /** It could not be read. */
  | "failing"
  /** It was given a key before and has none now: it forgets, or was cleared. */
  | "lost"
  /** What it holds is not what was stored. */
  | "garbled";
