package org.railyard.dlc.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.dlc.api.ConfigOperation;
import org.railyard.dlc.api.DebugOperation;
import org.railyard.dlc.api.Dlc;
import org.railyard.dlc.api.DlcException;
import org.railyard.dlc.api.ExplainOperation;
import org.railyard.dlc.api.FaultOperation;
import org.railyard.dlc.api.GlobalOperation;
import org.railyard.dlc.api.LnetOperation;
import org.railyard.dlc.api.NetOperation;
import org.railyard.dlc.api.Operation;
import org.railyard.dlc.api.PeerOperation;
import org.railyard.dlc.api.RouteOperation;
import org.railyard.dlc.api.RoutingOperation;
import org.railyard.dlc.api.StatsOperation;
import org.railyard.dlc.api.TargetOperation;
import org.railyard.dlc.api.UdspOperation;
import org.railyard.dlc.text.Doc;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.PeerInfo;
import org.railyard.lnet.nid.Nid;

/** The configuration of a node of this process. Starts without LNet; {@link LnetOperation.Configure} brings it. */
public final class NodeDlc implements Dlc, AutoCloseable {
    /** Most changes that can be undone. */
    static final int MAX_UNDO = 16;

    private final Running running;
    private final GlobalControl global;
    private final ConfigControl config;
    private final Object changes = new Object();
    private final Deque<Journal> history = new ArrayDeque<>();
    private Consumer<Dlc> listener = dlc -> {};

    /** Makes one without LNet. */
    public NodeDlc(Machine machine) {
        this.running = new Running(machine);
        this.global = new GlobalControl(running);
        this.config = new ConfigControl(running, global);
    }

    /** Tells a listener after each change of the configuration, on the thread that made it, before its call returns. Before the first operation. */
    public void onChange(Consumer<Dlc> told) {
        listener = told;
    }

    @Override
    public Map<String, Object> execute(Operation operation) {
        try {
            return operation.isChange() ? change(operation) : look(operation);
        } catch (LNetException e) {
            throw new DlcException(operation, e);
        }
    }

    private Map<String, Object> change(Operation operation) {
        synchronized (changes) {
            Journal journal = new Journal();
            Map<String, Object> answer;
            try {
                answer = change(operation, journal);
            } catch (Deleter.PartlyDone e) {
                done(journal);
                throw e.toFailure();
            } catch (RuntimeException e) {
                journal.rollBack();
                throw e;
            }
            done(journal);
            return answer;
        }
    }

    private void done(Journal journal) {
        remember(journal);
        listener.accept(this);
    }

    private void remember(Journal journal) {
        if (journal.isEmpty()) {
            return;
        }
        if (history.size() == MAX_UNDO) {
            history.removeLast();
        }
        history.push(journal);
    }

    private Map<String, Object> change(Operation operation, Journal journal) {
        switch (operation) {
            case LnetOperation.Configure configure -> configure(configure);
            case LnetOperation.Unconfigure _ -> unconfigure();
            case ConfigOperation.Undo _ -> undo();
            default -> {
                return change(operation, new Edits(running.require(operation), journal));
            }
        }
        return Map.of();
    }

    private Map<String, Object> change(Operation operation, Edits edits) {
        NetControl nets = new NetControl(running.machine(), edits);
        PeerControl peers = new PeerControl(edits);
        switch (operation) {
            case NetOperation.Add add -> nets.execute(add);
            case NetOperation.Delete delete -> nets.execute(delete);
            case NetOperation.Set set -> nets.execute(set);
            case PeerOperation.Add add -> peers.execute(add);
            case PeerOperation.Delete delete -> peers.execute(delete);
            case PeerOperation.Set set -> peers.execute(set);
            case GlobalOperation.Set set -> global.execute(set, edits);
            case UdspOperation.Add add -> UdspControl.add(add, edits);
            case UdspOperation.Delete delete -> UdspControl.delete(delete, edits);
            case ConfigOperation.Import read -> {
                return config.read(read, edits);
            }
            default -> throw new IllegalStateException("no change: " + operation);
        }
        return Map.of();
    }

    private void configure(LnetOperation.Configure configure) {
        running.start(running.machine().lnet().build());
    }

    private void unconfigure() {
        history.clear();
        running.stop();
    }

    private void undo() {
        if (history.isEmpty()) {
            throw new LNetException(Errno.ENOENT, "there is no change to undo");
        }
        history.pop().rollBack();
    }

    private Map<String, Object> look(Operation operation) {
        if (operation instanceof LnetOperation.Status) {
            return status();
        }
        LNet lnet = running.require(operation);
        return switch (operation) {
            case NetOperation.Show show ->
                Map.of("net", new NetView(lnet).nets(show.net() == null ? null : Nids.net(show.net()), show.level()));
            case PeerOperation.Show show -> peers(lnet, show);
            case PeerOperation.List _ -> list(lnet);
            case GlobalOperation.Show show -> global.show(lnet, show.java());
            case UdspOperation.Show show -> UdspControl.show(lnet, show.idx());
            case StatsOperation stats -> stats(lnet, stats);
            case TargetOperation.Ping ping -> new TargetControl(lnet, running.machine()).execute(ping);
            case TargetOperation.Discover discover -> new TargetControl(lnet, running.machine()).execute(discover);
            case FaultOperation fault -> new FaultControl(lnet.faults()).execute(fault);
            case DebugOperation debug -> new DebugControl(lnet).execute(debug);
            case ExplainOperation explain -> new ExplainControl(lnet).execute(explain);
            case ConfigOperation.Export export -> config.export(lnet, export.backup());
            case RouteOperation _, RoutingOperation _ -> Map.of();
            default -> throw new IllegalStateException("nothing to look at: " + operation);
        };
    }

    private Map<String, Object> status() {
        return new Doc()
                .put("lnet", running.isConfigured() ? "configured" : "not configured")
                .put("multi-rail", true)
                .put("undo", history.size())
                .map();
    }

    private static Map<String, Object> peers(LNet lnet, PeerOperation.Show show) {
        PeerView view = new PeerView(lnet, true);
        if (show.nid() != null) {
            Nid nid = Nids.nid(show.nid());
            PeerInfo peer = lnet.inventory()
                    .peer(nid)
                    .orElseThrow(() -> new LNetException(Errno.ENOENT, "no peer with the NID " + nid + " is known"));
            return Map.of("peer", List.of(view.peer(peer, show.level())));
        }
        int max = show.maxPeers() <= 0 ? Integer.MAX_VALUE : show.maxPeers();
        List<Object> peers = new ArrayList<>();
        lnet.inventory().peers(0, max).forEach(peer -> peers.add(view.peer(peer, show.level())));
        return peers.isEmpty() ? Map.of() : Map.of("peer", peers);
    }

    private static Map<String, Object> list(LNet lnet) {
        List<Object> nids = new ArrayList<>();
        lnet.peers()
                .forEach(peer -> nids.add(
                        new Doc().put("nid", peer.primaryNid().toString()).map()));
        return nids.isEmpty() ? Map.of() : Map.of("peer list", nids);
    }

    private static Map<String, Object> stats(LNet lnet, StatsOperation operation) {
        if (operation instanceof StatsOperation.Reset) {
            lnet.inventory().resetStatistics();
            return Map.of();
        }
        return Map.of("statistics", lnet.statistics().toMap());
    }

    /** Returns LNet as it runs, for what only looks at it, such as metrics; null if it does not run. */
    public @Nullable LNet lnet() {
        return running.get();
    }

    /** Stops LNet. */
    @Override
    public void close() {
        synchronized (changes) {
            unconfigure();
        }
    }
}
