const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether it can be a conversation's id and thereby its file's name: a UUID in small letters, nothing else. */
export function isConversationId(id: string): boolean {
  return uuid.test(id);
}
