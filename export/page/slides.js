"use strict";

// Place 0 is the cover; place n shows slide n - 1.
const slides = JSON.parse(document.getElementById("slides").textContent);
const texts = document.querySelectorAll("script.clip");
const clip = document.getElementById("clip");
const [cover, caption, place, said] = ["cover", "caption", "place", "said"].map(
  (id) => document.getElementById(id));
const [back, play, next, goto, notes, captions, full] = [
  "back", "play", "next", "goto", "notes", "captions", "full",
].map((id) => document.getElementById(id));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const urls = new Map();
let at = 0;
let speaker = null;
let began = null;

function url(index) {
  if (!urls.has(index)) {
    const bytes = Uint8Array.from(atob(texts[index].textContent), (c) => c.charCodeAt(0));
    urls.set(index, URL.createObjectURL(new Blob([bytes], { type: "video/mp4" })));
    // Of a long lecture only what is near is kept.
    for (const old of [...urls.keys()].filter((key) => Math.abs(key - index) > 3)) {
      URL.revokeObjectURL(urls.get(old));
      urls.delete(old);
    }
  }
  return urls.get(index);
}

// Going on plays the beat, unless the viewer wants no motion; going back shows how it ended.
function show(wanted, moving) {
  at = Math.max(0, Math.min(slides.length, wanted));
  const slide = slides[at - 1];
  clip.pause();
  cover.hidden = at > 0;
  clip.hidden = at === 0;
  caption.textContent = slide ? slide.caption : "";
  // Two lines have room under the stage; what is longer is set smaller.
  const length = caption.textContent.length;
  caption.style.fontSize = length > 180 ? "2.4vmin" : length > 90 ? "3vmin" : "";
  place.textContent = slide ? `${at} of ${slides.length}` : "";
  goto.value = String(at);
  back.disabled = at === 0;
  next.disabled = at === slides.length;
  play.disabled = at === 0;
  history.replaceState(null, "", at ? `#${at}` : " ");
  if (slide) {
    const plays = moving && !calm.matches;
    clip.setAttribute("aria-label", `${slide.scene}: ${slide.title}. ${slide.seen.join("; ")}`);
    clip.onloadeddata = () => {
      clip.onloadeddata = null;
      if (plays) start();
      else clip.currentTime = Math.max(0, clip.duration - 0.001);
    };
    clip.src = url(at - 1);
    clip.load();
  } else {
    clip.removeAttribute("src");
  }
  label();
  tell();
}

function start() {
  const promise = clip.play();
  if (promise) promise.catch(label);
}

function toggle() {
  if (at === 0) return;
  if (!clip.paused) clip.pause();
  else {
    if (clip.ended || clip.currentTime >= clip.duration - 0.05) clip.currentTime = 0;
    start();
  }
}

function label() {
  play.textContent = clip.paused ? "Play" : "Pause";
}

for (const event of ["play", "pause", "ended"]) clip.addEventListener(event, label);

// Speaker notes: a second window that follows this one.
function openNotes() {
  speaker = open("", "byhand-notes", "width=640,height=720");
  if (!speaker) {
    said.textContent = "The browser has blocked the notes' window: allow it, then press N again.";
    return;
  }
  said.textContent = "";
  const page = speaker.document;
  page.title = "Notes";
  page.body.replaceChildren();
  page.body.style.cssText = "font: 1.4rem/1.4 system-ui, sans-serif; margin: 1.5rem; " +
    "background: #fff; color: #14181f";
  for (const [tag, id] of [["p", "where"], ["h1", "what"], ["p", "words"], ["p", "seen"],
    ["p", "coming"]]) {
    const line = page.createElement(tag);
    line.id = id;
    if (id === "words" || id === "seen") line.dir = "auto";
    line.style.overflowWrap = "anywhere";
    page.body.append(line);
  }
  page.getElementById("seen").style.color = "#5a6472";
  page.onkeydown = onkey;
  began ??= Date.now();
  tell();
}

function tell() {
  if (!speaker || speaker.closed) return;
  const page = speaker.document;
  const set = (id, text) => { const one = page.getElementById(id); if (one) one.textContent = text; };
  const slide = slides[at - 1];
  const coming = slides[at];
  const seconds = Math.floor((Date.now() - began) / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  set("where", `${at} of ${slides.length}, ${clock}`);
  set("what", slide ? `${slide.scene}: ${slide.title}` : "Cover");
  set("words", slide ? slide.caption : "");
  set("seen", slide ? slide.seen.join("; ") : "");
  set("coming", coming ? `Next: ${coming.scene}, ${coming.title}` : "This is the end.");
}

setInterval(tell, 1000);

function toggleCaptions() {
  caption.hidden = !caption.hidden;
  captions.setAttribute("aria-pressed", String(!caption.hidden));
}

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen();
}

function goOn() {
  if (at < slides.length) show(at + 1, true);
}

const KEYS = {
  ArrowRight: goOn, PageDown: goOn,
  ArrowLeft: () => show(at - 1, false), PageUp: () => show(at - 1, false),
  Home: () => show(0, false), End: () => show(slides.length, false),
  " ": toggle, k: toggle, n: openNotes, c: toggleCaptions, f: toggleFull,
};

function onkey(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey || event.altKey || !(key in KEYS)) return;
  // A control keeps the keys that it is worked with.
  const control = event.target.closest && event.target.closest("button, select");
  if (control && (key === " " || control.tagName === "SELECT")) return;
  event.preventDefault();
  KEYS[key]();
}

document.addEventListener("keydown", onkey);
back.onclick = () => show(at - 1, false);
next.onclick = goOn;
play.onclick = toggle;
notes.onclick = openNotes;
captions.onclick = toggleCaptions;
full.onclick = toggleFull;
full.hidden = !document.documentElement.requestFullscreen;
goto.onchange = () => show(Number(goto.value), false);
calm.addEventListener("change", () => { if (calm.matches) clip.pause(); });

const options = [["0", "Cover"], ...slides.map(
  (slide, index) => [String(index + 1), `${index + 1}. ${slide.scene}: ${slide.title}`])];
for (const [value, text] of options) {
  const option = document.createElement("option");
  option.value = value;
  option.textContent = text;
  goto.append(option);
}
show(Number(location.hash.slice(1)) || 0, false);
