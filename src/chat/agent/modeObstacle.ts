import type { Translate } from "../../text/translate.ts";

/** Why a mode with tools cannot be used. */
export type ModeObstacle =
  /** The workspace is in Restricted Mode. */
  | "restricted"
  /** Nobody has tested whether the model takes tools, or the test was inconclusive. */
  | "not-verified"
  /** The service has rejected tools, the test has failed, or the user's setting says so. */
  | "no-tools";

/** Says why a mode cannot be used. `title` is the mode's name. */
export function describeObstacle(obstacle: ModeObstacle, title: string, t: Translate): string {
  switch (obstacle) {
    case "restricted":
      return t("The mode '{0}' isn't available in Restricted Mode.", title);
    case "not-verified":
      return t("The mode '{0}' needs a model that can call tools, and this model hasn't been tested.", title);
    case "no-tools":
      return t("The mode '{0}' needs a model that can call tools. This model can't.", title);
  }
}

/** The label of the button that removes an obstacle. */
export function mendingLabel(obstacle: ModeObstacle, t: Translate): string {
  switch (obstacle) {
    case "restricted":
      return t("Manage Workspace Trust");
    case "not-verified":
      return t("Verify Compatibility...");
    case "no-tools":
      return t("Select Model");
  }
}
