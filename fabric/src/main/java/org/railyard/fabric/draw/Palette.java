package org.railyard.fabric.draw;

/** The colours and the style sheet of the pictures. */
final class Palette {
    static final String PATH = "#1f5fbf";
    static final String LOOP = "#c2185b";
    static final String TREE = "#2e8b57";
    static final String FAILURE = "#d93025";

    /** Width of a cable where there are few. */
    static final double CABLE = 1.6;

    private static final double GONE = 1.4;

    static final String STYLE = """
        text { font: 8.5px sans-serif; fill: #555555; text-anchor: middle; }
        .cable { stroke-width: %5$s; }
        .cable path { stroke: #b5b5b5; fill: none; }
        .thin path { stroke: #b5b5b5; stroke-width: 0.8; stroke-dasharray: 6 2; }
        .gone { stroke-width: %6$s; }
        .gone path { stroke: %1$s; stroke-dasharray: 3 3; }
        .hole circle { fill: #ffffff; stroke: %1$s; stroke-dasharray: 3 2; }
        .hole path { stroke: %1$s; stroke-width: 1.4; }
        .switch circle { fill: #f2f2f2; stroke: #444444; stroke-width: 1.2; }
        .name text { paint-order: stroke; stroke: #ffffff; stroke-width: 2.5px; }
        .tree path { stroke: %2$s; stroke-width: 6; stroke-linecap: round; opacity: 0.55; }
        .member circle { fill: none; stroke: %2$s; stroke-width: 2.4; }
        .load path { fill: none; }
        .path path { stroke: %3$s; stroke-width: 2.4; marker-end: url(#path-end); }
        .loop path { stroke: %4$s; stroke-width: 2.4; marker-end: url(#loop-end); }
        .path text, .loop text { font-weight: bold; font-size: 10px; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
        .path text { fill: %3$s; }
        .loop text { fill: %4$s; }
        .end circle { fill: %3$s; stroke: none; }
        .end text { fill: #ffffff; }
        .letter text { fill: %3$s; font-weight: bold; font-size: 14px; }
        .title text { font-size: 13px; font-weight: bold; fill: #222222; text-anchor: start; }
        .legend text { font-size: 11px; fill: #333333; text-anchor: start; }
        """.formatted(FAILURE, TREE, PATH, LOOP, CABLE, GONE);

    private Palette() {}

    /** Returns how thick the lines of cables are, of those that are there or are gone. */
    static double width(String style) {
        return style.equals("gone") ? GONE : CABLE;
    }

    /** Returns how thick the line of a share of the largest load is. */
    static double width(double share) {
        return 1 + 4 * share;
    }

    /**
     * Returns attributes for a share of the largest load: from thin and yellow to thick and dark red.
     *
     * @param thickness 1 as usual, less where lines are crowded
     */
    static String load(double share, double thickness) {
        int red = (int) Math.round(250 - 110 * share);
        int green = (int) Math.round(205 * (1 - share));
        int blue = (int) Math.round(60 * (1 - share));
        return " stroke=\"#%02x%02x%02x\" stroke-width=\"%s\""
                .formatted(red, green, blue, Svg.width(width(share) * thickness));
    }
}
