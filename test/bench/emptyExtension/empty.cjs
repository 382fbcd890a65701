// An extension that does nothing: shows how long VS Code itself needs to load and activate an extension.
exports.activate = () => undefined;
