package report

import (
	"strings"
	"unicode/utf8"
)

// A cell is a piece of text and how it is shown.
type cell struct {
	text  string
	style style
}

func plain(s string) cell { return cell{text: s} }

// A table aligns cells in columns. align has one letter a column, l or r;
// columns beyond it are to the left. Styles never count towards a width.
type table struct {
	align string
	rows  [][]cell
}

func (t *table) row(cells ...cell) { t.rows = append(t.rows, cells) }

func (t *table) text(cells ...string) {
	row := make([]cell, len(cells))
	for i, c := range cells {
		row[i] = plain(c)
	}
	t.rows = append(t.rows, row)
}

func (t *table) write(p *page, indent string) {
	var width []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(c.text))
		}
	}
	for _, row := range t.rows {
		p.line(indent + strings.TrimRight(t.render(p, row, width), " "))
	}
}

func (t *table) render(p *page, row []cell, width []int) string {
	var b strings.Builder
	for i, c := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c.text))
		right := i < len(t.align) && t.align[i] == 'r'
		if right {
			b.WriteString(pad)
		}
		b.WriteString(p.paint(c.style, c.text))
		if !right && i < len(row)-1 {
			b.WriteString(pad)
		}
	}
	return b.String()
}
