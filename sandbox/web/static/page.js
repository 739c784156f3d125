// Keeps the living parts of a page true while it is open: each is replaced when the page would be served with another.
// Without scripts one reloads.
const EVERY_MILLISECONDS = 1500;
const seen = new Map();

for (const part of document.querySelectorAll("[data-live]")) {
  seen.set(part, part.innerHTML);
}

async function look() {
  try {
    const answer = await fetch(location.href);
    const now = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const [part, before] of seen) {
      const fresh = now.getElementById(part.id)?.innerHTML;
      if (fresh !== undefined && fresh !== before) {
        part.innerHTML = fresh;
        seen.set(part, fresh);
      }
    }
  } catch {
    // The sandbox is gone, or comes back.
  }
  setTimeout(look, EVERY_MILLISECONDS);
}

setTimeout(look, EVERY_MILLISECONDS);
