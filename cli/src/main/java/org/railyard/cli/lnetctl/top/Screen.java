package org.railyard.cli.lnetctl.top;

import java.util.ArrayList;
import java.util.List;
import org.railyard.cli.lnetctl.top.Drawn.Style;
import org.railyard.control.figures.Rated;
import org.railyard.control.figures.Reading.Counters;

/** Draws the screen: a pure function of figures, choices and size. */
final class Screen {
    /** Narrowest screen that is drawn for; on a narrower one lines are cut. */
    static final int MIN_WIDTH = 40;

    private static final int HEADER = 2;
    private static final int FOOTER = 1;
    private static final int AIRY = 20;
    private static final List<String> HELP = List.of(
            "q  quit               h  this, and back",
            "s  sort by the next of: " + String.join(", ", Order.names()),
            "v  view both tables, NIs, peer NIs",
            "n  next page          p  page before",
            "",
            "OUT/s, IN/s      messages per second",
            "OUTB/s, INB/s    payload bytes per second",
            "CREDITS, MIN     now/at rest, fewest ever; below 0 messages wait",
            "QUEUE            bytes that hold or wait for credits of a peer NI",
            "DROPS, RSNDS, TMOUTS   dropped, sent again, waited too long, in all",
            "-                not known: counters were reset, or it is new");

    /**
     * What is drawn.
     *
     * @param lines as many as the screen has at most
     * @param view the choices with a page that there is
     */
    record Drawing(List<Drawn> lines, View view) {}

    private final List<Drawn> lines = new ArrayList<>();
    private final int width;
    private final int height;
    private int page;
    private int pages = 1;

    private Screen(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /**
     * Draws it.
     *
     * @param figures what is known
     * @param view what is to be seen
     * @param title what the first line says
     * @param trouble why the figures are old; empty if they are not
     */
    static Drawing draw(NodeFigures figures, View view, String title, String trouble, int width, int height) {
        Screen screen = new Screen(Math.max(width, MIN_WIDTH), height);
        screen.page = view.page();
        screen.header(figures, title, trouble);
        if (view.help()) {
            HELP.forEach(each -> screen.lines.add(Drawn.plain(each)));
        } else {
            screen.tables(figures, view);
        }
        List<Drawn> cut = new ArrayList<>();
        for (Drawn each : screen.lines.subList(0, Math.min(screen.lines.size(), Math.max(0, height - FOOTER)))) {
            cut.add(new Drawn(clipped(each.text(), width), each.style()));
        }
        if (height > HEADER) {
            while (cut.size() < height - FOOTER) {
                cut.add(Drawn.plain(""));
            }
            cut.add(new Drawn(clipped(screen.footer(view), width), Style.FAINT));
        }
        return new Drawing(cut, view.withPage(screen.page));
    }

    /** Returns a text without end: all rows and all columns. */
    static List<Drawn> whole(NodeFigures figures, View view, String title, int width) {
        Screen screen = new Screen(width, Integer.MAX_VALUE);
        screen.header(figures, title, "");
        screen.tables(figures, view);
        return screen.lines;
    }

    private void header(NodeFigures figures, String title, String trouble) {
        lines.add(trouble.isEmpty() ? Drawn.plain(title) : new Drawn(trouble, Style.BAD));
        lines.add(Drawn.plain("out " + ShortNumbers.of(figures.sum(Rated::out)) + "/s "
                + ShortNumbers.of(figures.sum(Rated::outBytes)) + "B/s  in " + ShortNumbers.of(figures.sum(Rated::in))
                + "/s "
                + ShortNumbers.of(figures.sum(Rated::inBytes)) + "B/s  drops "
                + ShortNumbers.of(figures.total(Counters::dropped))
                + "  resends " + ShortNumbers.of(figures.total(Counters::resends)) + "  time-outs "
                + ShortNumbers.of(figures.total(Counters::timeouts))));
    }

    private String footer(View view) {
        String where = pages > 1 ? "page " + (page + 1) + "/" + pages + "  n p  " : "";
        return where + "q quit  h help  s sort: " + view.order().text() + "  v view";
    }

    private void tables(NodeFigures figures, View view) {
        boolean airy = height >= AIRY;
        List<Rated> nis = view.order().sorted(figures.nis());
        List<Rated> peers = view.order().sorted(figures.peerNis());
        switch (view.tables()) {
            case NIS -> paged("NI", nis, 0);
            case PEERS -> paged("PEER NI", peers, figures.more());
            case BOTH -> {
                if (airy) {
                    lines.add(Drawn.plain(""));
                }
                some("NI", nis);
                if (airy) {
                    lines.add(Drawn.plain(""));
                }
                paged("PEER NI", peers, figures.more());
            }
        }
    }

    /** Half of what is left, at most. */
    private void some(String title, List<Rated> rows) {
        int room = Math.max(1, (height - FOOTER - lines.size()) / 2 - 1);
        head(title, rows);
        boolean all = rows.size() <= room;
        rows.subList(0, all ? rows.size() : Math.max(0, room - 1)).forEach(each -> row(each, rows));
        if (!all) {
            lines.add(new Drawn("… " + (rows.size() - Math.max(0, room - 1)) + " more NIs: v", Style.FAINT));
        }
    }

    /** All that is left, page by page. */
    private void paged(String title, List<Rated> rows, long more) {
        int room = Math.max(1, height - FOOTER - lines.size() - 1 - (more > 0 ? 1 : 0));
        head(title, rows);
        pages = Math.max(1, (rows.size() + room - 1) / room);
        page = Math.min(page, pages - 1);
        int from = page * room;
        rows.subList(from, Math.min(rows.size(), from + room)).forEach(each -> row(each, rows));
        if (more > 0) {
            lines.add(new Drawn("… and " + more + " more that lnetd does not tell", Style.FAINT));
        }
    }

    private void head(String title, List<Rated> rows) {
        StringBuilder text = new StringBuilder(padded(title, nidWidth(rows)));
        Column.fitting(width).forEach(each -> text.append(each.title()));
        lines.add(new Drawn(text.toString(), Style.HEAD));
    }

    private void row(Rated row, List<Rated> rows) {
        StringBuilder text = new StringBuilder(padded(row.now().nid(), nidWidth(rows)));
        Column.fitting(width).forEach(each -> text.append(each.text(row)));
        lines.add(new Drawn(text.toString(), row.isBad() ? Style.BAD : Style.PLAIN));
    }

    /** What the columns leave, no more than is needed. */
    private int nidWidth(List<Rated> rows) {
        int longest =
                rows.stream().mapToInt(each -> each.now().nid().length()).max().orElse(0);
        int left = width - Column.widthOf(Column.fitting(width));
        return Math.min(left, Math.max(Column.NID_WIDTH, longest));
    }

    private static String padded(String text, int width) {
        String cut = cut(text, width);
        return cut + " ".repeat(width - cut.length());
    }

    private static String clipped(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
    }

    /** Returns a text that is no longer than a width: both ends of it tell more than the beginning alone. */
    static String cut(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        if (width < 3) {
            return text.substring(0, Math.max(0, width));
        }
        int end = width / 2;
        return text.substring(0, width - 1 - end) + "…" + text.substring(text.length() - end);
    }
}
