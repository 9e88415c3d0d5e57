package org.railyard.control.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.text.Doc;
import org.railyard.base.tune.TunableSpec.Flag;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Problem;
import org.railyard.config.Configuration;
import org.railyard.config.LndTunables;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;
import org.railyard.control.TargetOperation;
import org.railyard.control.TargetSection;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NiTuning;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/** The configuration as a whole: written and read (spec 12 §5, §6). */
final class ConfigControl {
    private static final String STANDARD_INPUT = "-";
    private static final String ADD = "add";
    private static final String DELETE = "del";
    private static final String EXEC = "exec";
    private static final int PEER_LEVEL = 3;
    private static final String TIMEOUT = "timeout";

    /** What transports begin with unless a module parameter says otherwise, s (spec 12 §4.2, §7.5). */
    private static final int LND_TIMEOUT = 50;

    private static final int ROUTE_LEVEL = 1;

    /** New routes are put among others at random, and what was taken back is new: the order says nothing. */
    private static final Comparator<RouteInfo> ROUTES = Comparator.<RouteInfo>comparingInt(
                    route -> route.net().typeNumber())
            .thenComparingInt(route -> route.net().number())
            .thenComparing(RouteInfo::gateway);

    private final Running running;

    ConfigControl(Running running) {
        this.running = running;
    }

    /** How much of a node a document has. */
    enum Extent {
        /** All that can be shown. */
        ALL,
        /** What can be configured, and all peers. */
        BACKUP,
        /** What can be configured, and the peers that are. */
        CONFIGURED
    }

    Map<String, Object> export(LNet lnet, Extent extent) {
        boolean backup = extent != Extent.ALL;
        Doc document = new Doc();
        List<Object> nets = backup ? backupNets(lnet) : new NetView(lnet, running.machine()).nets(null, NetView.EXPORT);
        putIfAny(document, "net", nets);
        List<Object> routes = new ArrayList<>();
        lnet.routes().list().stream()
                .sorted(ROUTES)
                .forEach(route -> routes.add(RouteControl.route(route, ROUTE_LEVEL, !backup)));
        putIfAny(document, "route", routes);
        List<Object> peers = new ArrayList<>();
        PeerView view = new PeerView(lnet, false);
        List<Nid> own = lnet.nids();
        lnet.peers().stream()
                .filter(peer -> !own.contains(peer.primaryNid()))
                .filter(peer -> extent != Extent.CONFIGURED || peer.isConfigured())
                // Whoever called from a link-local address can not be configured.
                .filter(peer -> !backup || peer.primaryNid().whyNotCalled() == null)
                .sorted(Comparator.comparing(PeerInfo::primaryNid))
                .forEach(peer -> peers.add(backup ? backup(peer) : view.peer(peer, PEER_LEVEL)));
        putIfAny(document, "peer", peers);
        putIfAny(document, "bond", BondControl.export(lnet));
        putIfAny(document, "o2ibs", new O2ibsControl(running.machine()).export(backup));
        document.putAll(RouteControl.routing(lnet, backup));
        document.putAll(GlobalControl.show(lnet, false));
        document.putAll(UdspControl.show(lnet, null));
        own(document, lnet.settings());
        return document.map();
    }

    static void putIfAny(Doc document, String section, List<Object> items) {
        if (!items.isEmpty()) {
            document.put(section, items);
        }
    }

    private List<Object> backupNets(LNet lnet) {
        NetView view = new NetView(lnet, running.machine());
        Map<Net, List<Object>> byNet = new LinkedHashMap<>();
        for (NiInfo ni : lnet.inventory().nis()) {
            NiTuning tuning = lnet.inventory().tuning(ni.nid());
            Doc lnd = new Doc();
            tuning.wanted().forEach((name, value) -> {
                if (!name.equals(TIMEOUT) || value != startTimeout(ni.nid().net())) {
                    lnd.put(name, LndTunables.shown(name, value));
                }
            });
            Doc item = new Doc();
            if (view.isByInterface(ni)) {
                item.put("interfaces", NetView.interfaces(ni));
                view.bonding(item, ni);
            } else {
                item.put("nid", ni.nid().toString());
            }
            item.put(
                            "tunables",
                            new Doc()
                                    .put("peer_timeout", tuning.net().peerTimeout())
                                    .put("peer_credits", tuning.net().peerCredits())
                                    .put("peer_buffer_credits", tuning.net().peerBufferCredits())
                                    .put("credits", tuning.net().credits()))
                    .put("lnd tunables", lnd)
                    .put("CPT", NetView.cpts(ni));
            byNet.computeIfAbsent(ni.nid().net(), net -> new ArrayList<>()).add(item.map());
        }
        List<Object> nets = new ArrayList<>();
        byNet.forEach((net, nis) -> nets.add(new Doc()
                .put("net type", net.toString())
                .put("local NI(s)", nis)
                .map()));
        return nets;
    }

    /**
     * What the limit of a transport is when nobody has set it on the running node; only another one belongs into a
     * backup.
     */
    private int startTimeout(Net net) {
        String parameter = net.typeNumber() == NetType.TCP.number() ? "sock_timeout" : "o2iblnd.timeout";
        String started = running.machine().parameters().get(parameter);
        return started == null ? LND_TIMEOUT : Integer.decode(started.strip());
    }

    /**
     * Returns what a document asks for; nothing where it has targets only. Looks at nothing that changes of others
     * change.
     */
    Configuration parse(ConfigOperation.Import read) {
        running.require(read);
        requireSense(read);
        String file = fileOf(read);
        if (read.text().isBlank()) {
            throw new DlcException(
                    read, Errno.EINVAL, file + " is empty; expected a document with sections, such as 'net:'");
        }
        String mode = modeOf(read);
        return mode.equals(EXEC) ? Configuration.EMPTY : parse(read, file, mode.equals(ADD) ? interfaces() : null);
    }

    /** What only tells goes with what adds, and to be confirmed is only what changes something. */
    private static void requireSense(ConfigOperation.Import read) {
        String mode = modeOf(read);
        boolean adds = mode.equals(ADD);
        if (read.check() && !adds) {
            throw new DlcException(
                    read, Errno.EINVAL, "found check with " + mode + ", expected it with add only; nothing was done");
        }
        if (read.confirmWithin() != null && (read.check() || !adds && !mode.equals(DELETE))) {
            throw new DlcException(
                    read,
                    Errno.EINVAL,
                    "found a time to confirm with " + (read.check() ? "check" : mode)
                            + ", which changes nothing; nothing was done");
        }
        if (read.confirmWithin() != null && read.confirmWithin() < 1) {
            throw new DlcException(
                    read,
                    Errno.EINVAL,
                    "a change to be confirmed within " + read.confirmWithin()
                            + " s; expected 1 or more; nothing was done");
        }
    }

    /** Tells whether it adds or deletes; others only look, or ask the network. */
    static boolean isChange(ConfigOperation.Import read) {
        String mode = modeOf(read);
        return mode.equals(ADD) && !read.check() || mode.equals(DELETE);
    }

    private static String modeOf(ConfigOperation.Import read) {
        return read.mode() == null ? ADD : read.mode();
    }

    static String fileOf(ConfigOperation.Import read) {
        return read.file() == null ? STANDARD_INPUT : read.file();
    }

    /**
     * Does what a document says.
     *
     * @param wanted what {@link #parse} made of it
     * @return what was asked to be shown, or would change; nothing otherwise
     */
    Map<String, Object> read(ConfigOperation.Import read, Configuration wanted, Edits edits) {
        Doc answer = new Doc();
        switch (modeOf(read)) {
            case ADD -> {
                Importer importer = new Importer(read, running, edits);
                if (read.check()) {
                    answer.putAll(importer.check(wanted));
                } else {
                    importer.add(wanted);
                    answer.putAll(statuses(wanted));
                }
            }
            case DELETE -> new Deleter(read, running, edits).delete(wanted);
            case "show" -> answer.putAll(Shown.of(wanted, edits.lnet(), running.machine()));
            case "show-all" ->
                answer.putAll(Shown.of(wanted, edits.lnet(), running.machine()))
                        .putAll(Shown.rest(wanted, edits.lnet()));
            case EXEC -> {
                return targets(read, edits.lnet());
            }
            default ->
                throw new DlcException(
                        read, Errno.EINVAL, "mode '" + read.mode() + "'; expected add, del, show, show-all or exec");
        }
        putIfAny(answer, "warnings", warnings(read, wanted, edits.lnet()));
        return answer.map();
    }

    private static List<Object> warnings(ConfigOperation.Import read, Configuration wanted, LNet lnet) {
        if (wanted.rest().sections().isEmpty()) {
            return List.of(fileOf(read) + ": found no section, expected some, such as 'net:'; nothing was done");
        }
        List<Problem> odd = modeOf(read).equals(ADD) ? wanted.warningsFor(nets(lnet)) : wanted.warnings();
        return odd.stream().<Object>map(Problem::toString).toList();
    }

    private static List<Net> nets(LNet lnet) {
        return lnet.inventory().nis().stream().map(ni -> ni.nid().net()).toList();
    }

    private Set<String> interfaces() {
        Set<String> names = new LinkedHashSet<>();
        running.machine().devices().forEach(device -> names.add(device.name()));
        names.addAll(running.machine().labels());
        return names;
    }

    private static Configuration parse(ConfigOperation.Import read, String file, @Nullable Set<String> interfaces) {
        try {
            return Configuration.read(file, read.text(), interfaces);
        } catch (DocumentException e) {
            throw refused(read, e);
        }
    }

    /** The document is at fault, or only values that the node refuses, or only interfaces that are not there. */
    private static DlcException refused(ConfigOperation.Import read, DocumentException e) {
        List<Problem> problems = e.problems();
        Problem.Kind first = problems.getFirst().kind();
        boolean alike = problems.stream().allMatch(problem -> problem.kind() == first);
        boolean onlySettings = alike && first == Problem.Kind.REFUSED;
        boolean onlyAbsent = alike && first == Problem.Kind.ABSENT;
        return new DlcException(List.of(new Failure(
                read.verb(),
                onlySettings ? "global" : read.entity(),
                onlySettings ? DlcException.GENERIC : onlyAbsent ? DlcException.NO_MATCH : Errno.EINVAL.status(),
                problems.getFirst()
                        + (problems.size() == 1
                                ? "; nothing was changed"
                                : "; " + problems.size() + " problems in all, nothing was changed"),
                problems.stream().map(Problem::toString).toList())));
    }

    /** Returns the states that a document asks for. */
    private Map<String, Object> statuses(Configuration wanted) {
        List<Object> all = new ArrayList<>();
        for (Net net : wanted.rest().statuses()) {
            all.addAll(new O2ibsControl(running.machine()).statuses(net));
        }
        return all.isEmpty() ? Map.of() : Map.of("net_status", all);
    }

    /** Pings and discovers, in the order of the document; their answers together. */
    private Map<String, Object> targets(ConfigOperation.Import read, LNet lnet) {
        List<TargetOperation> operations;
        try {
            operations = TargetSection.read(fileOf(read), read.text());
        } catch (DocumentException e) {
            throw refused(read, e);
        }
        Map<String, List<Object>> all = new LinkedHashMap<>();
        for (TargetOperation each : operations) {
            running.requireGoing();
            TargetControl targets = new TargetControl(lnet, running.machine());
            targets.execute(each)
                    .forEach((key, items) ->
                            all.computeIfAbsent(key, name -> new ArrayList<>()).addAll((List<?>) items));
        }
        return new Doc().putAll(all).map();
    }

    private static Map<String, Object> backup(PeerInfo peer) {
        List<Object> nids = new ArrayList<>();
        peer.nis()
                .forEach(
                        ni -> nids.add(new Doc().put("nid", ni.nid().toString()).map()));
        Doc doc = new Doc().put("primary nid", peer.primaryNid().toString()).put("Multi-Rail", peer.multiRail());
        PeerView.lock(doc, peer);
        return doc.put("peer ni", nids).map();
    }

    /**
     * Adds what only this node has and what is not as by default, or not as module parameters have it, which would
     * count again at the next start.
     */
    private void own(Doc document, Settings settings) {
        Settings started = running.machine().lnet().build().settings();
        Doc own = new Doc();
        for (Tunable tunable : Tunable.values()) {
            int value = settings.get(tunable);
            boolean shownBefore =
                    document.map().get("global") instanceof Map<?, ?> shown && shown.containsKey(tunable.text());
            boolean inBuffers = document.map().containsKey("buffers") && isOfBuffers(tunable);
            if (!shownBefore
                    && !inBuffers
                    && tunable != Tunable.ROUTER_SENSITIVITY_PERCENTAGE
                    && !tunable.spec().is(Flag.MODULE_PARAMETER)
                    && (value != Settings.DEFAULT.get(tunable) || value != started.get(tunable))) {
                own.put(tunable.text(), GlobalControl.shown(tunable, value));
            }
        }
        if (!own.map().isEmpty()) {
            document.put("java", own);
        }
    }

    private static boolean isOfBuffers(Tunable tunable) {
        return tunable == Tunable.TINY_BUFFERS || tunable == Tunable.SMALL_BUFFERS || tunable == Tunable.LARGE_BUFFERS;
    }
}
