// An extension that does nothing: what the editor itself takes to load and activate one.
exports.activate = () => undefined;
