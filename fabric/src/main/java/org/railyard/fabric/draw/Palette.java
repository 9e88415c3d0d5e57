package org.railyard.fabric.draw;

/** The colours and the style sheet of the pictures. */
final class Palette {
    static final String PATH = "#1f5fbf";
    static final String LOOP = "#c2185b";
    static final String TREE = "#2e8b57";
    static final String FAILURE = "#d93025";

    static final String STYLE = """
        text { font: 8.5px sans-serif; fill: #555555; text-anchor: middle; }
        .cable path { stroke: #b5b5b5; stroke-width: 1.6; fill: none; }
        .thin path { stroke: #b5b5b5; stroke-width: 0.8; stroke-dasharray: 6 2; }
        .gone path { stroke: %1$s; stroke-width: 1.4; stroke-dasharray: 3 3; }
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
        """.formatted(FAILURE, TREE, PATH, LOOP);

    private Palette() {}

    /** Returns attributes for a share of the largest load: from thin and yellow to thick and dark red. */
    static String load(double share) {
        int red = (int) Math.round(250 - 110 * share);
        int green = (int) Math.round(205 * (1 - share));
        int blue = (int) Math.round(60 * (1 - share));
        return " stroke=\"#%02x%02x%02x\" stroke-width=\"%d.%d\""
                .formatted(red, green, blue, (int) (1 + 4 * share), (int) (10 * (4 * share) % 10));
    }
}
