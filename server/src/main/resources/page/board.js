/** A board's own page: the component, and around it which season is shown, for whom, and how long it still runs. */
import "./laurel-board.js";
import { ask } from "./pages.js";
import { countdown, seasonName } from "./seasons.js";

const UUID = decodeURIComponent(location.pathname.split("/")[2]);
const query = new URLSearchParams(location.search);
const tenant = query.get("tenant") ?? "";
const api = `/api/v1/leaderboards/${encodeURIComponent(UUID)}`;

const root = document.documentElement;
const board = document.getElementById("board");
const form = document.getElementById("choice");
const seasonLine = document.getElementById("season");
const { period, season, user } = form.elements;
let running = null;

root.classList.toggle("wall", query.has("wall"));
if (query.has("theme")) {
  root.dataset.theme = query.get("theme");
  board.setAttribute("theme", query.get("theme"));
}
user.value = query.get("user") ?? "";
name(UUID);
show(query.get("period") ?? "", query.get("season") ?? "");
board.addEventListener("laurel-change", ({ detail }) => {
  const before = running;
  running = detail.season ?? running;
  tick();
  if (before && before.id !== running.id && !form.hidden) {
    // One is over and the next has begun, while we looked.
    listSeasons(season.value).catch(() => {});
  }
});
setInterval(tick, 1000);

try {
  const { name: title, windows } = await ask(api, { tenant });
  name(title);
  const periods = windows.map(window => window.name);
  fill(period, periods.map(value => [value, value]), query.get("period") ?? periods[0]);
  document.getElementById("periods").hidden = periods.length < 2;
  await listSeasons(query.get("season") ?? "");
  form.hidden = false;
} catch {
  // No such board for us: the component says so.
}

period.addEventListener("change", async () => {
  season.value = "";
  choose();
  await listSeasons("");
});
season.addEventListener("change", choose);
form.addEventListener("submit", event => {
  event.preventDefault();
  choose();
});

/** The address says what is shown, so that it can be sent to somebody. */
function choose() {
  for (const field of [period, season, user]) {
    const isDefault = field.value === "" || (field === period && field.selectedIndex === 0);
    if (isDefault) {
      query.delete(field.name);
    } else {
      query.set(field.name, field.value.trim());
    }
  }
  history.replaceState(null, "", query.size > 0 ? `?${query}` : location.pathname);
  running = null;
  show(query.get("period") ?? "", query.get("season") ?? "");
}

function show(chosenPeriod, chosenSeason) {
  const top = query.get("top") ?? "10";
  const attributes = { board: UUID, tenant, top, user: query.get("user") ?? "", period: chosenPeriod, season: chosenSeason };
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === "") {
      board.removeAttribute(attribute);
    } else {
      board.setAttribute(attribute, value);
    }
  }
  root.style.setProperty("--rows", String(Number(top) + (query.has("user") ? 1 : 0)));
}

async function listSeasons(chosen) {
  const { seasons } = await ask(`${api}/seasons`, { period: period.value, tenant, limit: 100 });
  const past = seasons.filter(({ status }) => status === "COMPLETED" || status === "ARCHIVED");
  const options = past.map(each => [each.instanceId, seasonName(each, root.lang)]);
  fill(season, [["", "Current"], ...options], chosen);
  document.getElementById("seasons").hidden = options.length === 0;
}

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, label]) => new Option(label, value, false, value === chosen)));
}

function tick() {
  const text = running ? countdown(running, Date.now(), root.lang) : "";
  if (seasonLine.textContent !== text) {
    seasonLine.textContent = text;
  }
}

function name(text) {
  document.getElementById("name").textContent = text;
  document.title = `${text} · Laurel`;
}
