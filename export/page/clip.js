(() => {
  const figure = document.currentScript.previousElementSibling;
  const [clip, button] = [figure.querySelector("video"), figure.querySelector("button")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let asked = false;
  if (clip.dataset.darkPoster && matchMedia("(prefers-color-scheme: dark)").matches)
    clip.poster = clip.dataset.darkPoster;
  const label = () => { button.textContent = clip.paused ? "Play" : "Pause"; };
  for (const event of ["play", "pause", "ended"]) clip.addEventListener(event, label);
  button.onclick = () => { asked = true; if (clip.paused) clip.play(); else clip.pause(); };
  button.hidden = false;
  calm.addEventListener("change", () => { if (calm.matches) clip.pause(); });
  new IntersectionObserver(([at], watching) => {
    if (!at.isIntersecting) return;
    watching.disconnect();
    if (!asked && !calm.matches) clip.play().catch(label);
  }, { threshold: 0.6 }).observe(clip);
})();
