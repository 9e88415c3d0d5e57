package org.railyard.fabric.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;

/**
 * A picture of a fabric that is no torus: trees level by level, others in circles of switches that are all joined to
 * each other, as the groups of a dragonfly are and the lines of a HyperX. For one thread.
 */
public final class NetworkDrawing extends FabricDrawing {
    /** Most switches of a fabric that is drawn. */
    public static final int MAX_SWITCHES = 2048;

    /** With more switches names would lie over each other. */
    private static final int MAX_NAMED = 200;

    private static final int MAX_NAME = 12;

    /** How far parallel cables are apart. */
    private static final double APART = 3;

    /** Share of the picture that cables may cover before they are drawn thinner, and how thin they become. */
    private static final double COVERED = 0.15;

    private static final double THINNEST = 0.1;

    private final NetworkPlaces places;
    /** Hosts by switch. */
    private final int[] hosts;

    /** By port index: how far aside its cable is, of several to the same switch. */
    private final double[] aside;

    /**
     * Prepares the picture.
     *
     * @throws FabricException if there is no switch, or more than {@value #MAX_SWITCHES}
     */
    public NetworkDrawing(Fabric fabric) {
        super(fabric);
        if (fabric.switchCount() == 0 || fabric.switchCount() > MAX_SWITCHES) {
            throw new FabricException(
                    "a picture needs 1 to %d switches, there are %d".formatted(MAX_SWITCHES, fabric.switchCount()));
        }
        places = new NetworkPlaces(fabric);
        hosts = new int[fabric.switchCount()];
        aside = new double[fabric.portCount()];
        for (int sw = 0; sw < hosts.length; sw++) {
            Map<Integer, List<Integer>> bySwitch = new TreeMap<>();
            for (int number = 1; number <= fabric.ports(sw); number++) {
                int port = fabric.portIndex(sw, number);
                int far = fabric.cable(port);
                int node = far == Fabric.NONE ? sw : fabric.nodeOf(far);
                if (!fabric.isSwitch(node)) {
                    hosts[sw]++;
                } else if (sw < node) {
                    bySwitch.computeIfAbsent(node, _ -> new ArrayList<>()).add(port);
                }
            }
            bySwitch.values().forEach(this::spread);
        }
    }

    private void spread(List<Integer> ports) {
        for (int i = 0; i < ports.size(); i++) {
            double by = APART * (i - (ports.size() - 1) / 2.0);
            aside[ports.get(i)] = by;
            // Seen from the other end the other side is the right one.
            aside[fabric.cable(ports.get(i))] = -by;
        }
    }

    @Override
    Spot spot(int sw) {
        return places.spot(sw);
    }

    @Override
    String name(int sw) {
        return Integer.toString(hosts[sw]);
    }

    @Override
    List<Geometry.Piece> pieces(int port) {
        if (fabric.nodeOf(port) == fabric.nodeOf(fabric.cable(port))) {
            return List.of();
        }
        Spot from = spot(fabric.nodeOf(port));
        Spot to = spot(fabric.nodeOf(fabric.cable(port)));
        double length = Math.hypot(to.x() - from.x(), to.y() - from.y());
        double dx = (to.x() - from.x()) / length;
        double dy = (to.y() - from.y()) / length;
        double sideX = -dy * aside[port];
        double sideY = dx * aside[port];
        return List.of(Geometry.Piece.whole(
                from.x() + dx * Geometry.RADIUS + sideX,
                from.y() + dy * Geometry.RADIUS + sideY,
                to.x() - dx * Geometry.RADIUS + sideX,
                to.y() - dy * Geometry.RADIUS + sideY));
    }

    /** Many long cables would be one grey area: they are drawn as thin as it takes to see between them. */
    @Override
    double thickness(double ink) {
        return Math.clamp(COVERED * width() * height() / Math.max(1, ink), THINNEST, 1);
    }

    /** Returns how thick cables are drawn where no load is shown, 1 where they are not crowded. */
    double thickness() {
        return thickness(IntStream.range(0, fabric.portCount())
                .filter(port -> isBetweenSwitches(port) && port < fabric.peer(port))
                .mapToDouble(port -> Palette.CABLE * length(port))
                .sum());
    }

    @Override
    double width() {
        return places.width();
    }

    @Override
    double height() {
        return places.height();
    }

    @Override
    void cables() {
        int down = 0;
        for (String style : isLoaded() ? List.of("gone") : List.of("cable", "gone")) {
            svg.begin(style, thickness());
            for (int sw = 0; sw < hosts.length; sw++) {
                for (int number = 1; number <= fabric.ports(sw); number++) {
                    int port = fabric.portIndex(sw, number);
                    int far = fabric.cable(port);
                    boolean once = far > port && fabric.nodeOf(far) != sw && fabric.isSwitch(fabric.nodeOf(far));
                    if (once && style.equals(fabric.peer(port) == Fabric.NONE ? "gone" : "cable")) {
                        pieces(port).forEach(svg::line);
                        down += style.equals("gone") ? 1 : 0;
                    }
                }
            }
            svg.end();
        }
        legend.addFirst(places.text());
        legend.add(1, "in a switch: how many hosts it has");
        if (down > 0) {
            legend.add("red dashes: cables that are down (%d)".formatted(down));
        }
    }

    @Override
    void switches() {
        svg.begin("switch");
        for (int sw = 0; sw < hosts.length; sw++) {
            Spot at = spot(sw);
            svg.circle(at.x(), at.y(), Geometry.RADIUS);
            svg.text(at.x(), at.y() + 3, name(sw));
        }
        svg.end();
        svg.begin("name");
        for (int sw = 0; sw < hosts.length && hosts.length <= MAX_NAMED; sw++) {
            Spot at = places.name(sw);
            svg.text(at.x(), at.y(), shortened(fabric.description(sw)));
        }
        svg.end();
    }

    private static String shortened(String name) {
        int length = name.codePointCount(0, name.length());
        return length <= MAX_NAME ? name : name.substring(0, name.offsetByCodePoints(0, MAX_NAME - 1)) + "…";
    }

    @Override
    void captions() {
        // The title says all.
    }
}
