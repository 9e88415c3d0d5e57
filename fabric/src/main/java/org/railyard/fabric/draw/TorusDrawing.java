package org.railyard.fabric.draw;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/** A picture of a torus: switches at their coordinates. For one thread. */
public final class TorusDrawing extends FabricDrawing {
    /** Most positions of a torus that is drawn. */
    public static final int MAX_POSITIONS = 8192;

    private final TorusLayout layout;
    private final TorusShape shape;
    private final Geometry geometry;

    /**
     * Prepares the picture.
     *
     * @throws FabricException if there are more than {@value #MAX_POSITIONS} positions
     */
    public TorusDrawing(Fabric fabric, TorusLayout layout) {
        super(fabric);
        this.layout = layout;
        shape = layout.shape();
        if (shape.positions() > MAX_POSITIONS) {
            throw new FabricException("a torus of %d places is too large for a picture, at most %d"
                    .formatted(shape.positions(), MAX_POSITIONS));
        }
        geometry = new Geometry(shape);
    }

    @Override
    @Nullable
    Spot spot(int sw) {
        int position = layout.positionOf(sw);
        return position == TorusLayout.NONE ? null : new Spot(geometry.x(position), geometry.y(position));
    }

    @Override
    String name(int sw) {
        return geometry.name(layout.positionOf(sw));
    }

    @Override
    List<Geometry.Piece> pieces(int port) {
        int group = layout.groupOf(fabric, port);
        return group == TorusGroup.NONE ? List.of() : geometry.pieces(layout.positionOf(fabric.nodeOf(port)), group);
    }

    @Override
    double width() {
        return geometry.width();
    }

    @Override
    double height() {
        return geometry.height();
    }

    /** Grey cables, thin where some of several are missing, and red gaps where all are. */
    @Override
    void cables() {
        int usual = 0;
        List<int[]> groups = new ArrayList<>();
        for (int position = 0; position < shape.positions(); position++) {
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                int next = shape.step(position, TorusGroup.plus(d));
                if (next >= 0 && next != position) {
                    int count = layout.cables(fabric, position, next);
                    usual = Math.max(usual, count);
                    groups.add(new int[] {position, TorusGroup.plus(d), next, count});
                }
            }
        }
        int all = usual;
        int[] broken = {0, 0};
        for (String style : isLoaded() ? List.of("gone") : List.of("cable", "thin", "gone")) {
            svg.begin(style);
            for (int[] group : groups) {
                boolean bothThere =
                        layout.switchAt(group[0]) != TorusLayout.NONE && layout.switchAt(group[2]) != TorusLayout.NONE;
                String its = group[3] == all ? "cable" : group[3] > 0 ? "thin" : "gone";
                if (bothThere && its.equals(style) && all > 0) {
                    geometry.pieces(group[0], group[1]).forEach(svg::line);
                    broken[0] += style.equals("gone") ? 1 : 0;
                    broken[1] += style.equals("thin") ? 1 : 0;
                }
            }
            svg.end();
        }
        legend.addFirst(geometry.axes() + (all > 1 ? "; up to " + all + " cables between neighbours" : ""));
        if (broken[0] > 0) {
            legend.add("red dashes: no cable left (%d)".formatted(broken[0]));
        }
        if (broken[1] > 0) {
            legend.add("thin grey dashes: some of several cables left (%d)".formatted(broken[1]));
        }
    }

    @Override
    void switches() {
        int missing = 0;
        svg.begin("switch");
        for (int position = 0; position < shape.positions(); position++) {
            if (layout.switchAt(position) != TorusLayout.NONE) {
                double x = geometry.x(position);
                double y = geometry.y(position);
                svg.circle(x, y, Geometry.RADIUS);
                svg.text(x, y + 3, geometry.name(position));
            }
        }
        svg.end();
        svg.begin("hole");
        for (int position = 0; position < shape.positions(); position++) {
            if (layout.switchAt(position) == TorusLayout.NONE) {
                double x = geometry.x(position);
                double y = geometry.y(position);
                missing++;
                svg.circle(x, y, Geometry.RADIUS);
                svg.line(Geometry.Piece.whole(x - 8, y - 8, x + 8, y + 8));
                svg.line(Geometry.Piece.whole(x - 8, y + 8, x + 8, y - 8));
                svg.text(x, y + 22, geometry.name(position));
            }
        }
        svg.end();
        if (missing > 0) {
            legend.add("red circles: no switch (" + missing + ")");
        }
    }

    @Override
    void captions() {
        List<String> captions = geometry.captions();
        for (int i = 0; i < captions.size(); i++) {
            double[] at = geometry.caption(i);
            svg.text(at[0], at[1], captions.get(i));
        }
    }
}
