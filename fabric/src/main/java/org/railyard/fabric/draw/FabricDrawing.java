package org.railyard.fabric.draw;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.proof.CreditLoop;
import org.railyard.fabric.route.MulticastTables;

/**
 * A picture of a fabric: first what is there and what is missing, then what is laid over it, in the order of the calls.
 * For one thread.
 */
public abstract class FabricDrawing {
    private static final double LEGEND_LINE = 16;

    final Fabric fabric;
    final Svg svg = new Svg();
    final List<String> legend = new ArrayList<>();
    private final List<Runnable> under = new ArrayList<>();
    private final List<Runnable> over = new ArrayList<>();
    private boolean loaded;

    FabricDrawing(Fabric fabric) {
        this.fabric = fabric;
    }

    /** Where a switch is. */
    record Spot(double x, double y) {}

    /** Returns where a switch is; null if it is not in the picture. */
    abstract @Nullable Spot spot(int sw);

    /** Returns the lines from a port of a switch to the switch behind its cable, none if they are not drawn. */
    abstract List<Geometry.Piece> pieces(int port);

    /** Returns what stands in the circle of a switch. */
    abstract String name(int sw);

    /** Returns how thick lines are drawn that would cover an area: 1 as usual, less where they are crowded. */
    double thickness(double ink) {
        return 1;
    }

    /** Returns how long the lines of a cable are. */
    final double length(int port) {
        return pieces(port).stream()
                .mapToDouble(each -> Math.hypot(each.x2() - each.x1(), each.y2() - each.y1()))
                .sum();
    }

    /** Draws cables. */
    abstract void cables();

    /** Draws switches. */
    abstract void switches();

    /** Draws what stands over parts of the picture. */
    abstract void captions();

    /** Returns the width of what is drawn. */
    abstract double width();

    /** Returns the height of what is drawn, without the legend. */
    abstract double height();

    /** Returns whether load is shown: it takes the place of cables. */
    final boolean isLoaded() {
        return loaded;
    }

    /** Lays a path over it, from A to B; hops are numbered from 1 and carry their VL. */
    public final FabricDrawing path(TablePath path) {
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
    public final FabricDrawing loop(CreditLoop loop) {
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
    public final FabricDrawing tree(int mlid, MulticastTables.Tree tree) {
        under.add(() -> {
            svg.begin("tree");
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int port = 1; port <= fabric.ports(sw); port++) {
                    int index = fabric.portIndex(sw, port);
                    if (tree.ports(sw).contains(port) && isBetweenSwitches(index)) {
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
            Spot at = spot(sw);
            if (member && at != null) {
                svg.circle(at.x, at.y, Geometry.RADIUS + 3);
            }
        }
        svg.end();
    }

    /** Shows how many of all ways use each cable, in each direction. */
    public final FabricDrawing load(LinkLoad load) {
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
    public final FabricDrawing use(IntToDoubleFunction use, String of) {
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

    final boolean isBetweenSwitches(int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
    }

    private void heat(IntToDoubleFunction share) {
        under.add(() -> {
            // The fullest last: it is what is looked for.
            List<Integer> ports = IntStream.range(0, fabric.portCount())
                    .filter(this::isBetweenSwitches)
                    .boxed()
                    .sorted(Comparator.comparingDouble(share::applyAsDouble))
                    .toList();
            double thickness = thickness(ports.stream()
                    .mapToDouble(port -> Palette.width(share.applyAsDouble(port)) * length(port))
                    .sum());
            svg.begin("load");
            ports.forEach(port -> {
                String look = Palette.load(share.applyAsDouble(port), thickness);
                pieces(port).forEach(piece -> svg.line(piece.aside(), look));
            });
            svg.end();
        });
        loaded = true;
    }

    /** Returns the SVG text. */
    public final String svg(String title) {
        cables();
        under.forEach(Runnable::run);
        switches();
        over.forEach(Runnable::run);
        svg.begin("title");
        svg.text(16, 20, title);
        captions();
        svg.end();
        svg.begin("legend");
        double y = height() + LEGEND_LINE;
        for (String line : legend) {
            svg.text(16, y, line);
            y += LEGEND_LINE;
        }
        svg.end();
        double height = height() + LEGEND_LINE * (legend.size() + 1) + 8;
        return svg.document(Math.max(width(), 560), height, title, Palette.STYLE);
    }

    private void directed(String style, Map<Integer, String> labels) {
        svg.begin(style);
        labels.forEach((port, label) -> {
            for (Geometry.Piece piece : drawn(port)) {
                svg.line(piece.aside());
            }
        });
        labels.forEach((port, label) -> {
            for (Geometry.Piece piece : drawn(port)) {
                svg.text(piece.labelX(), piece.labelY(), label);
            }
        });
        svg.end();
    }

    private List<Geometry.Piece> drawn(int port) {
        return isBetweenSwitches(port) ? pieces(port) : List.of();
    }

    private void end(int sw, String letter) {
        Spot at = sw == Fabric.NONE ? null : spot(sw);
        if (at != null) {
            svg.begin("end");
            svg.circle(at.x, at.y, Geometry.RADIUS);
            svg.text(at.x, at.y + 3, name(sw));
            svg.end();
            svg.begin("letter");
            svg.text(at.x - 14, at.y - 12, letter);
            svg.end();
        }
    }
}
