package org.railyard.campaign.work;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.ShellWord;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * The fabric of a plan, with LIDs, and what routes it.
 *
 * @param fabric the fabric; ports without LIDs have got some
 * @param smPort end port of the subnet manager: the one that the file names, else the first host
 * @param settings what routes it
 * @param engine name of the engine
 */
public record RoutedFabric(Fabric fabric, int smPort, RoutingSettings settings, EngineName engine) {
    static final String TOPOLOGY = "topology.net";
    static final String CONF = "torus-2QoS.conf";
    private static final String ENGINE = "engine";
    private static final int BROADCAST_MLID = 0xC000;

    /**
     * Returns parameters and inputs of a plan about a fabric.
     *
     * @param topology text of a topology
     * @param conf text of a torus-2QoS.conf; empty for none
     */
    public static Map.Entry<SortedMap<String, String>, SortedMap<String, String>> describe(
            String topology, Optional<String> conf, String engine) {
        SortedMap<String, String> parameters = new TreeMap<>(Map.of(ENGINE, engine));
        SortedMap<String, String> inputs = new TreeMap<>(Map.of(TOPOLOGY, topology));
        conf.ifPresent(text -> inputs.put(CONF, text));
        return Map.entry(parameters, inputs);
    }

    /**
     * Reads it.
     *
     * @throws ErrnoException EINVAL if topology, configuration or engine can not be used
     */
    static RoutedFabric of(CampaignPlan plan) {
        String name = plan.parameter(ENGINE);
        EngineName engine = EngineName.of(name)
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "engine '%s', expected one of %s"
                                .formatted(
                                        name,
                                        Stream.of(EngineName.values())
                                                .map(EngineName::text)
                                                .collect(Collectors.joining(", ")))));
        String conf = plan.inputs().get(CONF);
        if (engine.needsConf() && conf == null) {
            throw new ErrnoException(
                    Errno.EINVAL, engine.text() + " needs the torus-2QoS.conf of the fabric, and there is none");
        }
        try {
            SubnetList read = topology(plan.input(TOPOLOGY));
            Fabric fabric = LidSettings.KEEP.assign(read.fabric()).fabric();
            int smPort = read.smPort() == Fabric.NONE ? FreshLids.firstEndPort(fabric) : read.smPort();
            TorusConf torus = engine.needsConf() && conf != null ? TorusConfParser.parse(conf) : null;
            return new RoutedFabric(fabric, smPort, RoutingSettings.of(engine.engine(torus, false, List.of())), engine);
        } catch (FabricException | FormatException e) {
            throw new ErrnoException(Errno.EINVAL, "the topology: " + e.getMessage(), e);
        } catch (TorusConfException e) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "the torus-2QoS.conf: " + e.problems().getFirst().getMessage(),
                    e);
        }
    }

    private static SubnetList topology(String text) {
        SubnetList list = text.stripLeading().startsWith("{")
                ? SubnetList.parse(text)
                : new SubnetList(NetFile.parse(text).fabric(new ArrayList<>()), Fabric.NONE);
        if (list.fabric().nodeCount() == 0) {
            throw new FabricException("no node in it");
        }
        return list;
    }

    ProvenRouting routing() {
        return new ProvenRouting(settings);
    }

    /** Returns the one multicast group of all hosts, as with IPoIB. */
    List<MulticastGroup> groups() {
        return List.of(new MulticastGroup(BROADCAST_MLID, 0, fabric.hosts()));
    }

    /**
     * Computes the tables of the fabric as it is.
     *
     * @throws ErrnoException EINVAL if the engine refuses it
     */
    Tables tables(List<MulticastGroup> groups) {
        return switch (routing().tables(fabric, groups)) {
            case Tables tables -> tables;
            case Refused refused ->
                throw new ErrnoException(
                        Errno.EINVAL,
                        engine.text() + " refuses the fabric as it is: "
                                + refused.refusal().reasons().getFirst().text());
        };
    }

    static Optional<TorusLayout> layout(Tables tables) {
        return tables.plan().map(plan -> TorusLayout.of(tables.fabric(), plan.placement()));
    }

    /** Returns the positions of switches as cells have them, in ascending order; empty if there is no torus. */
    static String places(Optional<TorusLayout> layout, Stream<Integer> switches) {
        return layout.map(torus -> switches.map(torus::positionOf)
                        .filter(position -> position != TorusLayout.NONE)
                        .distinct()
                        .sorted()
                        .map(position -> place(torus.shape(), position))
                        .collect(Collectors.joining(" ")))
                .orElse("");
    }

    private static String place(TorusShape shape, int position) {
        return String.format(
                Locale.ROOT,
                "%d.%d.%d",
                shape.coordinate(position, 0),
                shape.coordinate(position, 1),
                shape.coordinate(position, 2));
    }

    /** Returns the topology file and the options of commands that route the same. */
    static String options(CampaignPlan plan, Path inputs) {
        String conf = plan.inputs().containsKey(CONF)
                ? " --conf " + ShellWord.quoted(inputs.resolve(CONF).toString())
                : "";
        return ShellWord.quoted(inputs.resolve(TOPOLOGY).toString()) + " --engine " + plan.parameter(ENGINE) + conf;
    }
}
