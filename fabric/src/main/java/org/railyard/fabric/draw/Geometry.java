package org.railyard.fabric.draw;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Where things are in the picture. Two dimensions lie in the plane; if there is a third, each of its coordinates has a
 * panel of its own, and its cables are short slanted stubs at the switches. Cables over the dateline are stubs, too,
 * that leave the panel.
 */
final class Geometry {
    static final double RADIUS = 12;
    private static final double CELL = 78;
    private static final double STUB = 22;
    private static final double SLANT = 14;
    private static final double MARGIN = 56;
    private static final double HEADER = 30;
    /** How far to the right of the middle a direction is drawn. */
    private static final double SIDE = 3.6;

    private static final int ABSENT = -1;

    private final TorusShape shape;
    private final int across;
    private final int up;
    private final int panel;
    private final int panelsPerRow;

    /**
     * A straight line from the sender's side to the receiver's.
     *
     * @param labelX where its label stands
     * @param labelY where its label stands
     */
    record Piece(double x1, double y1, double x2, double y2, double labelX, double labelY) {
        /** Returns a line whose label is beside its middle, on the right as seen in its direction. */
        static Piece whole(double x1, double y1, double x2, double y2) {
            double length = Math.hypot(x2 - x1, y2 - y1);
            double dx = -(y2 - y1) / length;
            double dy = (x2 - x1) / length;
            return new Piece(x1, y1, x2, y2, (x1 + x2) / 2 + dx * 21, (y1 + y2) / 2 + dy * 13 + 3);
        }

        /** Returns a short line at a switch, with the label behind its free end. */
        static Piece stub(double x1, double y1, double x2, double y2, boolean leaves) {
            double dx = leaves ? x2 - x1 : x1 - x2;
            double dy = leaves ? y2 - y1 : y1 - y2;
            double length = Math.hypot(dx, dy);
            double freeX = leaves ? x2 : x1;
            double freeY = leaves ? y2 : y1;
            return new Piece(x1, y1, x2, y2, freeX + dx / length * 13, freeY + dy / length * 8 + 3);
        }

        /** Returns the line moved to the right as seen in its direction. */
        Piece aside() {
            double length = Math.hypot(x2 - x1, y2 - y1);
            double dx = -(y2 - y1) / length * SIDE;
            double dy = (x2 - x1) / length * SIDE;
            return new Piece(x1 + dx, y1 + dy, x2 + dx, y2 + dy, labelX, labelY);
        }
    }

    Geometry(TorusShape shape) {
        this.shape = shape;
        List<Integer> active = new ArrayList<>();
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            if (shape.active(d)) {
                active.add(d);
            }
        }
        across = active.isEmpty() ? 0 : active.get(0);
        up = active.size() > 1 ? active.get(1) : ABSENT;
        panel = active.size() > 2 ? active.get(2) : ABSENT;
        panelsPerRow = panel == ABSENT
                ? 1
                : (int) Math.min(
                        shape.radix(panel),
                        Math.max(1, Math.round(Math.sqrt(shape.radix(panel) * panelHeight() / panelWidth() * 1.6))));
    }

    private double panelWidth() {
        return (shape.radix(across) - 1) * CELL + 2 * MARGIN;
    }

    private double panelHeight() {
        return (up == ABSENT ? 0 : shape.radix(up) - 1) * CELL + 2 * MARGIN;
    }

    double width() {
        return panelsPerRow * panelWidth();
    }

    /** Height without the legend. */
    double height() {
        int rows = panel == ABSENT ? 1 : (shape.radix(panel) + panelsPerRow - 1) / panelsPerRow;
        return HEADER + rows * panelHeight();
    }

    double x(int position) {
        int column = panel == ABSENT ? 0 : shape.coordinate(position, panel) % panelsPerRow;
        return column * panelWidth() + MARGIN + shape.coordinate(position, across) * CELL;
    }

    double y(int position) {
        int row = panel == ABSENT ? 0 : shape.coordinate(position, panel) / panelsPerRow;
        int lines = up == ABSENT ? 0 : shape.radix(up) - 1 - shape.coordinate(position, up);
        return HEADER + row * panelHeight() + MARGIN + lines * CELL;
    }

    /** Returns the captions of the panels, each at a position of the plane's first corner. */
    List<String> captions() {
        List<String> captions = new ArrayList<>();
        for (int c = 0; panel != ABSENT && c < shape.radix(panel); c++) {
            captions.add("xyz".charAt(panel) + " = " + c);
        }
        return captions;
    }

    /** Returns where the caption of a panel stands. */
    double[] caption(int c) {
        int row = c / panelsPerRow;
        return new double[] {c % panelsPerRow * panelWidth() + MARGIN - 30, HEADER + row * panelHeight() + 12};
    }

    /** Returns the coordinates that tell a switch from the others of its panel. */
    String name(int position) {
        String name = Integer.toString(shape.coordinate(position, across));
        return up == ABSENT ? name : name + "," + shape.coordinate(position, up);
    }

    /** Returns what the axes of a panel are, for people. */
    String axes() {
        String names = "xyz";
        String text = names.charAt(across) + " to the right";
        if (up != ABSENT) {
            text += ", " + names.charAt(up) + " upwards";
        }
        return panel == ABSENT ? text : text + ", slanted stubs: " + names.charAt(panel);
    }

    /** Returns the lines of a cable from a position in the direction of a group: one, or two stubs. */
    List<Piece> pieces(int from, int group) {
        int to = shape.step(from, group);
        int d = TorusGroup.dimension(group);
        double sign = TorusGroup.sign(group);
        boolean overDateline = Math.abs(shape.coordinate(from, d) - shape.coordinate(to, d)) > 1;
        if (d == panel) {
            return stubs(from, to, sign * SLANT, -sign * SLANT);
        }
        double dx = d == across ? sign : 0;
        double dy = d == across ? 0 : -sign;
        if (overDateline) {
            return stubs(from, to, dx * STUB, dy * STUB);
        }
        return List.of(
                Piece.whole(x(from) + dx * RADIUS, y(from) + dy * RADIUS, x(to) - dx * RADIUS, y(to) - dy * RADIUS));
    }

    private List<Piece> stubs(int from, int to, double dx, double dy) {
        double length = Math.hypot(dx, dy);
        double edgeX = dx / length * RADIUS;
        double edgeY = dy / length * RADIUS;
        return List.of(
                Piece.stub(x(from) + edgeX, y(from) + edgeY, x(from) + edgeX + dx, y(from) + edgeY + dy, true),
                Piece.stub(x(to) - edgeX - dx, y(to) - edgeY - dy, x(to) - edgeX, y(to) - edgeY, false));
    }
}
