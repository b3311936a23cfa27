// The words of RTF: what is not text, what stands for a character, and how fonts are encoded.

// Groups that hold no text of the document.
export const skipped = new Set(
  'colortbl stylesheet listtable listoverridetable rsidtbl generator pict objdata objclass themedata colorschememapping datastore latentstyles xmlnstbl fldinst datafield nonshppict bkmkstart bkmkend operator comment doccomm company manager category keywords subject hlinkbase revtim printim buptim userprops template filetbl revtbl pgdsctbl mmathPr wgrffmtfilter blipuid bliptag picprop sp sn sv atrfstart atrfend atnid atnref atntime factoidname tc xe'.split(
    ' ',
  ),
)

export const spelled: Record<string, string> = {
  tab: '\t',
  line: '\n',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emdash: '—',
  endash: '–',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  softline: '\n',
  nestcell: '\t',
  zwj: '\u200d',
  zwnj: '\u200c',
}

// \fcharset → code page
export const charsets: Record<number, number> = {
  77: 10_000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
}

const labels: Record<number, string> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  874: 'windows-874',
  866: 'ibm866',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
  1200: 'utf-16le',
  20866: 'koi8-r',
  21866: 'koi8-u',
  1361: 'euc-kr',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  28597: 'iso-8859-7',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
}

export function codePageLabel(codePage: number): string {
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`
  return labels[codePage] ?? 'windows-1252'
}
