import { fakeKey } from "../unit/service/fixture.ts";
import type { ReferenceServiceOptions } from "../service/serve.ts";
import type { Editor, EditorOptions } from "./endToEnd.ts";
import { withEditor } from "./withEditor.ts";
import { type TestService, withService } from "./withService.ts";

export interface ConnectedEditorOptions extends EditorOptions {
  /** The connection's, Acme by default. */
  readonly name?: string;
  /** The connection's only key, which is visibly fake. */
  readonly key?: string;
  /** More of the connection's entry in the settings. */
  readonly entry?: Readonly<Record<string, unknown>>;
  readonly service?: ReferenceServiceOptions;
}

/** The editor's only connection leads to the service. */
export interface ConnectedEditor {
  readonly editor: Editor;
  readonly service: TestService;
}

/** Holds the connection's key, in the editor's environment. */
export const keyVariable = "INFERENCE_TEST_KEY";

/** Adds hooks to the `describe` around it: service and editor run for all of its tests. */
export function withConnectedEditor({
  name = "Acme",
  key = fakeKey("connected"),
  entry = {},
  service: serviceOptions = {},
  settings = {},
  ...options
}: ConnectedEditorOptions = {}): ConnectedEditor {
  const service = withService({ ...serviceOptions, keys: [key] });
  const editor = withEditor(() => ({
    ...options,
    settings: {
      "inference.connections": [{ name, baseUrl: service.origin, keyVariable, ...entry }],
      ...settings,
    },
    environment: { [keyVariable]: key },
  }));
  return { editor, service };
}
