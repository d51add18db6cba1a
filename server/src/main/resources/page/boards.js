/** The list of a tenant's public boards. */
import { ask, boardPath } from "./pages.js";

const tenant = new URLSearchParams(location.search).get("tenant");
const message = document.getElementById("message");
const whole = new Intl.NumberFormat(document.documentElement.lang);

try {
  const { leaderboards } = await ask("/api/v1/leaderboards", { limit: 1000, tenant });
  const shown = leaderboards.filter(board => board.visibility === "PUBLIC" && board.status !== "DRAFT");
  message.textContent = shown.length > 0 ? "" : "There is no public board yet. A board is public if it was made with \"visibility\": \"PUBLIC\".";
  document.getElementById("boards").append(...shown.map(item));
} catch {
  message.textContent = "The boards cannot be listed: this server shows them to callers with a key only, or is not there.";
}

function item(board) {
  const link = document.createElement("a");
  link.href = boardPath(board.UUID) + (tenant ? `?tenant=${encodeURIComponent(tenant)}` : "");
  link.append(
    text("strong", board.name),
    text("span", board.windows.map(window => window.name).join(", ")),
    text("span", board.totalUsers === 1 ? "1 player" : `${whole.format(board.totalUsers)} players`),
  );
  const element = document.createElement("li");
  element.append(link);
  return element;
}

function text(kind, content) {
  const element = document.createElement(kind);
  element.textContent = content;
  return element;
}
