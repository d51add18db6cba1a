/** What both pages need: asking the server, and saying what it would not answer. */

export async function ask(path, query = {}) {
  const url = new URL(path, location.href);
  for (const [name, value] of Object.entries(query)) {
    if (value) {
      url.searchParams.set(name, value);
    }
  }
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url.pathname}: ${answer.status}`);
  }
  return answer.json();
}

/** The page of a board, in the tenant that this page is about. */
export function boardPath(board) {
  return `/boards/${encodeURIComponent(board)}`;
}
