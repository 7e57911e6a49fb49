/**
 * What is said of a file that is not there. Names that may have been meant are looked for a fifth of a second only, which
 * a slow machine may need longer for: then it is asked again. Such a call changes nothing.
 */
export async function withNames(ask: () => Promise<string>): Promise<string> {
  for (let attempt = 1;; attempt++) {
    const said = await ask();
    const isBare = said.includes("file not found: ") && !said.includes("did you mean");
    if (!isBare || attempt === ATTEMPTS) return said;
  }
}

const ATTEMPTS = 20;
