// An extension that does nothing: shows what VS Code itself needs to load and activate an extension.
exports.activate = () => undefined;
