package org.railyard.cli.lnetctl.top;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.railyard.control.figures.Rated;

/** Columns of the tables, in the order in which they stand. The first is the NID, which takes what is left. */
enum Column {
    /** Device, or the peer that an NI belongs to. */
    OF("OF", 16, 9, false, each -> each.now().of()),
    /** Word for how it does. */
    STATE("STATE", 9, 8, false, each -> each.now().state()),
    /** Health; the word if it carries nothing. */
    HEALTH(
            "HEALTH",
            6,
            1,
            true,
            each -> each.isDown()
                    ? each.now().state()
                    : Long.toString(each.now().health())),
    /** Messages sent per second. */
    OUT("OUT/s", 6, 0, true, each -> ShortNumbers.of(each.out())),
    /** Messages received per second. */
    IN("IN/s", 6, 0, true, each -> ShortNumbers.of(each.in())),
    /** Payload sent per second. */
    OUT_BYTES("OUTB/s", 6, 2, true, each -> ShortNumbers.of(each.outBytes())),
    /** Payload received per second. */
    IN_BYTES("INB/s", 6, 2, true, each -> ShortNumbers.of(each.inBytes())),
    /** Send credits now and at rest. */
    CREDITS(
            "CREDITS",
            9,
            3,
            true,
            each -> each.now().credits() + "/" + each.now().maxCredits()),
    /** Fewest send credits. */
    MIN("MIN", 5, 7, true, each -> ShortNumbers.of(each.now().minCredits())),
    /** Bytes that hold or wait for credits. */
    QUEUE("QUEUE", 5, 7, true, each -> ShortNumbers.of(each.now().queued())),
    /** Messages dropped. */
    DROPS("DROPS", 5, 4, true, each -> ShortNumbers.of(each.now().dropped())),
    /** Messages sent again. */
    RESENDS("RSNDS", 5, 6, true, each -> ShortNumbers.of(each.now().resends())),
    /** Messages that waited too long. */
    TIMEOUTS("TMOUTS", 6, 5, true, each -> ShortNumbers.of(each.now().timeouts()));

    /** Narrowest column of NIDs. */
    static final int NID_WIDTH = 17;

    private final String title;
    private final int width;
    private final int rank;
    private final boolean right;

    @SuppressWarnings("ImmutableEnumChecker") // Without state.
    private final Function<Rated, String> text;

    Column(String title, int width, int rank, boolean right, Function<Rated, String> text) {
        this.title = title;
        this.width = width;
        this.rank = rank;
        this.right = right;
        this.text = text;
    }

    /** Returns those that fit, the most important ones. */
    static List<Column> fitting(int width) {
        int left = width - NID_WIDTH;
        List<Column> ranked = Arrays.stream(values())
                .sorted(Comparator.comparingInt((Column each) -> each.rank))
                .toList();
        List<Column> fitting = new ArrayList<>();
        for (Column each : ranked) {
            if (left <= each.width) {
                break;
            }
            left -= each.width + 1;
            fitting.add(each);
        }
        return fitting.stream().sorted().toList();
    }

    /** Returns how many characters columns take, with a blank before each. */
    static int widthOf(List<Column> columns) {
        return columns.stream().mapToInt(each -> each.width + 1).sum();
    }

    String title() {
        return padded(title);
    }

    String text(Rated row) {
        return padded(text.apply(row));
    }

    private String padded(String value) {
        String cut = Screen.cut(value, width);
        String blanks = " ".repeat(width - cut.length());
        return " " + (right ? blanks + cut : cut + blanks);
    }
}
