/** A secret that cannot be guessed, in a form that fits into a URL and a cookie. */
const SECRET_BYTES = 32;

export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
