package org.railyard.fabric.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.proof.CreditLoop;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * A picture of a torus: first what is there and what is missing, then what is laid over it, in the order of the calls.
 * For one thread.
 */
public final class TorusDrawing {
    /** Most positions of a torus that is drawn. */
    public static final int MAX_POSITIONS = 8192;

    private static final double LEGEND_LINE = 16;

    private final Fabric fabric;
    private final TorusLayout layout;
    private final TorusShape shape;
    private final Geometry geometry;
    private final Svg svg = new Svg();
    private final List<Runnable> under = new ArrayList<>();
    private final List<Runnable> over = new ArrayList<>();
    private final List<String> legend = new ArrayList<>();
    private boolean loaded;

    /**
     * Prepares the picture.
     *
     * @throws FabricException if there are more than {@value #MAX_POSITIONS} positions
     */
    public TorusDrawing(Fabric fabric, TorusLayout layout) {
        this.fabric = fabric;
        this.layout = layout;
        shape = layout.shape();
        if (shape.positions() > MAX_POSITIONS) {
            throw new FabricException("a torus of %d places is too large for a picture, at most %d"
                    .formatted(shape.positions(), MAX_POSITIONS));
        }
        geometry = new Geometry(shape);
    }

    /** Lays a path over it, from A to B; hops are numbered from 1 and carry their VL. */
    public TorusDrawing path(TablePath path) {
        Map<Integer, String> labels = new TreeMap<>();
        int hop = 0;
        for (TablePath.Hop step : path.hops()) {
            hop++;
            labels.merge(step.port(), hop + ": vl " + step.vl(), (a, b) -> a + ", " + b);
        }
        int from = fabric.switchOf(path.source());
        int target = fabric.portOfLid(path.destinationLid());
        over.add(() -> {
            directed("path", labels);
            end(from, "A");
            end(target == Fabric.NONE ? Fabric.NONE : fabric.switchOf(target), "B");
        });
        legend.add("blue: path from A, %s, to B, %s, SL %d; hops with their VL"
                .formatted(
                        fabric.portName(path.source()),
                        target == Fabric.NONE ? "LID " + path.destinationLid() : fabric.portName(target),
                        path.sl()));
        return this;
    }

    /** Lays a credit loop over it; every channel carries its VL. */
    public TorusDrawing loop(CreditLoop loop) {
        Map<Integer, String> labels = new TreeMap<>();
        boolean multicast = false;
        for (CreditLoop.Wait wait : loop.waits()) {
            Channel channel = wait.channel();
            multicast |= wait.flow().isMulticast();
            String label = (wait.flow().isMulticast() ? "m " : "") + "vl " + channel.vl();
            labels.merge(channel.port(), label, (a, b) -> a + ", " + b);
        }
        over.add(() -> directed("loop", labels));
        legend.add("magenta: a credit loop of %d channels with their VLs%s"
                .formatted(loop.waits().size(), multicast ? "; m: what waits there is multicast" : ""));
        return this;
    }

    /** Lays the cables of a multicast group under it; switches with members have a ring. */
    public TorusDrawing tree(int mlid, MulticastTables.Tree tree) {
        under.add(() -> {
            svg.begin("tree");
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int port = 1; port <= fabric.ports(sw); port++) {
                    int index = fabric.portIndex(sw, port);
                    if (tree.ports(sw).contains(port) && layout.groupOf(fabric, index) != TorusGroup.NONE) {
                        // Of a cable that both ends use, one line is enough.
                        int peer = fabric.peer(index);
                        boolean both = tree.ports(fabric.nodeOf(peer)).contains(fabric.portNumber(peer));
                        if (!both || index < peer) {
                            pieces(index).forEach(svg::line);
                        }
                    }
                }
            }
            svg.end();
        });
        over.add(() -> members(tree));
        legend.add("green: tree of group 0x%04X; rings: switches with members".formatted(mlid));
        return this;
    }

    private void members(MulticastTables.Tree tree) {
        svg.begin("member");
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            boolean member = false;
            for (int port = 0; port <= fabric.ports(sw); port++) {
                int peer = fabric.peer(fabric.portIndex(sw, port));
                boolean end = port == 0 || peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer));
                member |= end && tree.ports(sw).contains(port);
            }
            int position = layout.positionOf(sw);
            if (member && position != TorusLayout.NONE) {
                svg.circle(geometry.x(position), geometry.y(position), Geometry.RADIUS + 3);
            }
        }
        svg.end();
    }

    /** Shows how many of all ways use each cable, in each direction. */
    public TorusDrawing load(LinkLoad load) {
        long most = Math.max(1, load.most());
        heat(port -> (double) load.of(port) / most);
        legend.add("thin yellow to thick red: 0 to %d of the ways between all end ports,".formatted(load.most()));
        legend.add("  in each direction, on the right of the cable as seen by the packets");
        return this;
    }

    /**
     * Shows how much each cable is used, in each direction.
     *
     * @param use by port index of the sending port: share of what the link carries, 0…1
     * @param of what it is the use of, for people
     */
    public TorusDrawing use(IntToDoubleFunction use, String of) {
        double most = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (isBetweenSwitches(port)) {
                most = Math.max(most, use.applyAsDouble(port));
            }
        }
        heat(port -> Math.clamp(use.applyAsDouble(port), 0, 1));
        legend.add("thin yellow to thick red: 0 to 100 %% of what a cable carries; at most %.1f %%, %s"
                .formatted(100 * most, of));
        legend.add("  in each direction, on the right of the cable as seen by the packets");
        return this;
    }

    private boolean isBetweenSwitches(int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
    }

    private void heat(IntToDoubleFunction share) {
        under.add(() -> {
            svg.begin("load");
            for (int port = 0; port < fabric.portCount(); port++) {
                if (isBetweenSwitches(port) && layout.groupOf(fabric, port) != TorusGroup.NONE) {
                    String look = Palette.load(share.applyAsDouble(port));
                    pieces(port).forEach(piece -> svg.line(piece.aside(), look));
                }
            }
            svg.end();
        });
        loaded = true;
    }

    /** Returns the SVG text. */
    public String svg(String title) {
        cables();
        under.forEach(Runnable::run);
        switches();
        over.forEach(Runnable::run);
        captions(title);
        double height = geometry.height() + LEGEND_LINE * (legend.size() + 1) + 8;
        double width = Math.max(geometry.width(), 560);
        return svg.document(width, height, title, Palette.STYLE);
    }

    private List<Geometry.Piece> pieces(int port) {
        return geometry.pieces(layout.positionOf(fabric.nodeOf(port)), layout.groupOf(fabric, port));
    }

    private void directed(String style, Map<Integer, String> labels) {
        svg.begin(style);
        labels.forEach((port, label) -> {
            if (layout.groupOf(fabric, port) != TorusGroup.NONE) {
                for (Geometry.Piece piece : pieces(port)) {
                    svg.line(piece.aside());
                }
            }
        });
        labels.forEach((port, label) -> {
            if (layout.groupOf(fabric, port) != TorusGroup.NONE) {
                for (Geometry.Piece piece : pieces(port)) {
                    svg.text(piece.labelX(), piece.labelY(), label);
                }
            }
        });
        svg.end();
    }

    private void end(int sw, String letter) {
        int position = sw == Fabric.NONE ? TorusLayout.NONE : layout.positionOf(sw);
        if (position != TorusLayout.NONE) {
            svg.begin("end");
            svg.circle(geometry.x(position), geometry.y(position), Geometry.RADIUS);
            svg.text(geometry.x(position), geometry.y(position) + 3, geometry.name(position));
            svg.end();
            svg.begin("letter");
            svg.text(geometry.x(position) - 14, geometry.y(position) - 12, letter);
            svg.end();
        }
    }

    /** Grey cables, thin where some of several are missing, and red gaps where all are. */
    private void cables() {
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
        for (String style : loaded ? List.of("gone") : List.of("cable", "thin", "gone")) {
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

    private void switches() {
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

    private void captions(String title) {
        svg.begin("title");
        svg.text(16, 20, title);
        List<String> captions = geometry.captions();
        for (int i = 0; i < captions.size(); i++) {
            double[] at = geometry.caption(i);
            svg.text(at[0], at[1], captions.get(i));
        }
        svg.end();
        svg.begin("legend");
        double y = geometry.height() + LEGEND_LINE;
        for (String line : legend) {
            svg.text(16, y, line);
            y += LEGEND_LINE;
        }
        svg.end();
    }
}
