/**
 * The answer about a file that does not exist. The search for similar names takes a fifth of a second at most, which
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
