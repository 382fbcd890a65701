import { useEffect, useMemo, useState } from "preact/hooks";
import { SeveralFilesSearch } from "../../chat/code/answerFiles.ts";

/** Milliseconds of a frame that the search may take. */
const timeInFrame = 3;

/**
 * Whether an answer has code for more than one file. That of a usual answer is known at once; a long one is read
 * on from frame to frame, and false until it is known.
 */
export function useSeveralFiles(answer: string): boolean {
  const search = useMemo(() => startSearch(answer), [answer]);
  const [found, setFound] = useState<Search>();
  useEffect(() => {
    if (search.atOnce !== undefined) return undefined;
    let frame = window.requestAnimationFrame(readOn);
    function readOn(): void {
      const names = search.files.readOn(timer());
      if (names === undefined) frame = window.requestAnimationFrame(readOn);
      else if (names) setFound(search);
    }
    return () => window.cancelAnimationFrame(frame);
  }, [search]);
  return search.atOnce ?? found === search;
}

interface Search {
  readonly files: SeveralFilesSearch;
  /** What was found in the first frame; undefined where that was too short. */
  readonly atOnce: boolean | undefined;
}

function startSearch(answer: string): Search {
  const files = new SeveralFilesSearch(answer);
  return { files, atOnce: files.readOn(timer()) };
}

function timer(): () => boolean {
  const deadline = performance.now() + timeInFrame;
  return () => performance.now() >= deadline;
}
