const gradual = (() => {
  document.documentElement.className = 'scripted';
  const element = (name, properties) => Object.assign(document.createElement(name), properties);
  let choosers = [];

  // Each makes what the reader chooses with, puts it into `bar`, and returns how to show what is chosen.
  const buttons = (bar, parts, choose) => {
    const all = parts.map((part, at) => {
      const button = element('button', {type: 'button', dir: 'auto', onclick: () => choose(at)});
      button.append(...part.querySelector('summary').cloneNode(true).childNodes);
      return button;
    });
    bar.append(...all);
    return at => all.forEach((button, i) => button.setAttribute('aria-pressed', i === at));
  };
  const words = (bar, parts, choose) => {
    bar.dir = 'auto';  // the first word says where the sentence begins
    const mark = buttons(bar, parts, choose);
    bar.querySelectorAll('button').forEach((button, at) => {
      button.onpointerenter = event => event.pointerType === 'mouse' && choose(at);
      button.onfocus = () => choose(at);
    });
    return mark;
  };
  const list = (bar, parts, choose, names, label) => {
    const select = element('select', {ariaLabel: label, onchange: () => choose(select.selectedIndex)});
    select.append(...names.map(name => element('option', {dir: 'auto', text: name})));
    bar.append(select);
    return at => select.selectedIndex = at;
  };
  const slider = (bar, parts, choose, names, label) => {
    const range = element('input', {type: 'range', min: 0, max: parts.length - 1, ariaLabel: label});
    const value = element('output');
    const is_last = () => +range.value + 1 >= parts.length;
    let timer, is_placed = false;  // by the reader: playing goes on from there, else it begins with the first
    const play = element('button', {type: 'button'});
    const pause = () => { clearInterval(timer); timer = 0; play.textContent = '▶ Play'; };
    play.onclick = () => {
      if (timer) return pause();
      if (!is_placed || is_last()) choose(0);
      is_placed = true;
      play.textContent = '❚❚ Pause';
      timer = setInterval(() => { choose(+range.value + 1); if (is_last()) pause(); }, 1200);
    };
    range.oninput = () => { pause(); is_placed = true; choose(+range.value); };
    pause();
    bar.append(range, value, play);
    return at => { range.value = at; range.ariaValueText = value.textContent = names[at]; };
  };

  // As many pictures in each row, in the middle: four of which three fit stand two by two.
  const balance = box => {
    box.style.maxWidth = '';
    const pictures = [...box.querySelectorAll(':scope > .scroll')], gap = parseFloat(getComputedStyle(box).columnGap);
    const rows = new Set(pictures.map(picture => picture.offsetTop)).size;
    const widest = Math.max(...pictures.map(picture => picture.offsetWidth));
    box.style.maxWidth = Math.ceil(pictures.length / rows) * (widest + gap) + 'px';
  };
  const sizes = new ResizeObserver(changed => changed.forEach(
      ({target}) => target.querySelectorAll(':scope > .pictures').forEach(balance)));
  const arrange = root => root.querySelectorAll('.pictures').forEach(box => sizes.observe(box.parentElement));

  // A box that shows a part of its picture says so.
  const reach = new ResizeObserver(changed => changed.forEach(
      ({target}) => target.classList.toggle('wider', target.scrollWidth > target.clientWidth + 1)));

  const enhance = root => {
    choosers = choosers.filter(chooser => chooser.group.isConnected);
    for (const group of [...root.querySelectorAll('.choices')].reverse()) {
      const parts = [...group.querySelectorAll(':scope > details')], label = group.dataset.label;
      if (!parts.length) continue;
      if (parts.length === 1 && !group.classList.contains('words')) {  // there is nothing to choose
        parts[0].querySelector('summary').hidden = parts[0].open = true;
        continue;
      }
      const names = parts.map(part => part.querySelector('summary').textContent);
      const kind = group.classList.contains('words') ? words : group.classList.contains('slider') ? slider
          : names.length <= 4 && names.join('').length < 90 ? buttons : list;
      const bar = element('div', {className: 'chooser'});
      bar.append(element('span', {textContent: label, dir: 'ltr'}));
      const choose = at => choosers.filter(c => c.label === label && (kind !== words || c.group === group))
          .forEach(c => c.show(at));
      const mark = kind(bar, parts, choose, names, label);
      const graph = kind === words && group.closest('.beside')?.querySelectorAll('.links .query');
      const open = at => parts.forEach((part, i) => { part.hidden = i !== at; part.open = true; });
      let steady = kind !== words;
      const show = at => {
        if (at >= parts.length) return;
        mark(at);
        if (!steady && group.offsetHeight) {  // what stands below stays there, whichever word is pointed at
          steady = true;
          const heights = parts.map((part, i) => (open(i), group.offsetHeight));
          group.style.minHeight = Math.max(...heights) + 'px';
        }
        open(at);
        graph && graph.forEach((query, i) => query.classList.toggle('lit', i === at));  // its lines beside it
      };
      const first = Math.max(0, parts.findIndex(part => part.open));
      parts.forEach(part => part.querySelector('summary').hidden = true);
      group.prepend(bar);
      choosers.push({label, group, show});
      show(first);
    }
    arrange(root);
    root.querySelectorAll('figure>.scroll').forEach(box => reach.observe(box));
  };
  enhance(document);

  const tip = element('div', {className: 'tip', hidden: true});
  document.body.append(tip);
  const place = event => {
    const {width, height} = tip.getBoundingClientRect(), gap = 14;
    const x = Math.min(event.clientX + gap, innerWidth - width - 4);
    const y = event.clientY - height - gap;
    tip.style.left = Math.max(4, x) + 'px';
    tip.style.top = (y < 4 ? event.clientY + gap : y) + 'px';
  };
  const point = event => {
    const shape = event.target.closest?.('svg.gradual *');
    const title = shape?.querySelector(':scope > title');
    // The browser's own slow tip would cover ours.
    if (title) { shape.dataset.value = title.textContent; title.remove(); }
    tip.hidden = !shape?.dataset.value;
    if (tip.hidden) return;
    tip.textContent = shape.dataset.value;
    place(event);
  };
  for (const kind of ['pointerover', 'pointermove']) document.addEventListener(kind, point);
  document.addEventListener('scroll', () => tip.hidden = true, true);
  return {enhance};
})();
