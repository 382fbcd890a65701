/** A PNG of 64 by 64 pixels whose upper half is yellow and whose lower half is blue. */
export const picture = {
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PMQkAAAwDsPo33WnoOQjEQNLmtQgICAgICAgICAgICAgICAgICAgICAgIzIGkzwkICAgICAgICAgICAgICAgICAgICAgIjA4ffOlaPoMwkAAAAABJRU5ErkJggg==",
} as const;
