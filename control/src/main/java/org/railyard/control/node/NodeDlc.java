package org.railyard.control.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.BondOperation;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DebugOperation;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.DoctorOperation;
import org.railyard.control.ExplainOperation;
import org.railyard.control.FaultOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LnetOperation;
import org.railyard.control.NetOperation;
import org.railyard.control.NetStatusOperation;
import org.railyard.control.O2ibsOperation;
import org.railyard.control.Operation;
import org.railyard.control.PeerOperation;
import org.railyard.control.RouteOperation;
import org.railyard.control.RoutingOperation;
import org.railyard.control.StatsOperation;
import org.railyard.control.TargetOperation;
import org.railyard.control.UdspOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;

/** The configuration of a node of this process. Starts without LNet; {@link LnetOperation.Configure} brings it. */
public final class NodeDlc implements Dlc, AutoCloseable {
    /** Most changes that can be undone. */
    static final int MAX_UNDO = 16;

    private final Running running;
    private final ConfigControl config;
    private final Object changes = new Object();
    private final Deque<UndoLog> history = new ArrayDeque<>();
    private @Nullable Waiting waiting;
    private Consumer<Dlc> listener = dlc -> {};

    /** Makes one without LNet. */
    public NodeDlc(NodeEnvironment machine) {
        this.running = new Running(machine);
        this.config = new ConfigControl(running);
    }

    /**
     * Tells a listener after each change of the configuration, on the thread that made it, before its call returns. If
     * it throws an {@link ErrnoException} the change is taken back and its call fails. Before the first operation.
     */
    public void onChange(Consumer<Dlc> told) {
        listener = told;
    }

    @Override
    public Map<String, Object> execute(Operation operation) {
        try {
            return switch (operation) {
                case Operation.Change change -> change(change);
                case Operation.Action action -> act(action);
                case Operation.Query query -> look(query);
            };
        } catch (ErrnoException e) {
            throw new DlcException(operation, e);
        }
    }

    private Map<String, Object> change(Operation.Change change) {
        synchronized (changes) {
            switch (change) {
                case ConfigOperation.Confirm _ -> confirm();
                case ConfigOperation.Undo undo -> kept(undo, _ -> undo());
                case LnetOperation.Configure configure -> kept(configure, journal -> configure(configure, journal));
                case LnetOperation.Unconfigure unconfigure -> kept(unconfigure, _ -> unconfigure());
                case Operation.Edit edit -> {
                    return edit(edit);
                }
            }
            return Map.of();
        }
    }

    private void kept(Operation.Change change, Consumer<UndoLog> work) {
        requireNothingWaits(change);
        UndoLog journal = new UndoLog();
        try {
            work.accept(journal);
        } catch (RuntimeException e) {
            journal.rollBack();
            throw e;
        }
        done(change, journal);
    }

    private Map<String, Object> edit(Operation.Edit edit) {
        requireNothingWaits(edit);
        UndoLog journal = new UndoLog();
        Map<String, Object> answer;
        try {
            answer = edit(edit, new Edits(lnet(edit), journal));
        } catch (Deleter.PartlyDone e) {
            done(edit, journal);
            throw e.toFailure();
        } catch (RuntimeException e) {
            journal.rollBack();
            throw e;
        }
        if (edit instanceof ConfigOperation.Import read && read.confirmWithin() != null) {
            awaitConfirmation(journal, read.confirmWithin());
        } else {
            done(edit, journal);
        }
        return answer;
    }

    /** A change that is taken back unless it is confirmed in time. */
    private record Waiting(UndoLog journal, Runnable cancel) {}

    private void requireNothingWaits(Operation operation) {
        if (waiting != null && !(operation instanceof ConfigOperation.Undo)) {
            throw new ErrnoException(
                    Errno.EBUSY,
                    "a change waits to be confirmed; 'lnetctl confirm' keeps it, 'lnetctl undo' takes it back at once");
        }
    }

    private void awaitConfirmation(UndoLog journal, int seconds) {
        if (seconds < 1) {
            journal.rollBack();
            throw new ErrnoException(
                    Errno.EINVAL, "a change to be confirmed within " + seconds + " s; expected 1 or more");
        }
        waiting = new Waiting(journal, running.machine().callAfter(seconds, () -> takeBack(journal)));
    }

    /** Nobody confirmed. */
    private void takeBack(UndoLog journal) {
        synchronized (changes) {
            Waiting late = waiting;
            if (late != null && late.journal() == journal) {
                waiting = null;
                journal.rollBack();
            }
        }
    }

    private void confirm() {
        Waiting confirmed = waiting;
        if (confirmed == null) {
            throw new ErrnoException(Errno.ENOENT, "no change waits to be confirmed");
        }
        try {
            listener.accept(this);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.errno(), DlcException.textOf(e) + "; the change still waits to be confirmed", e);
        }
        waiting = null;
        confirmed.cancel().run();
        remember(confirmed.journal());
    }

    /**
     * A change is done if it is kept.
     *
     * @throws ErrnoException if it can not be kept; it is taken back then, or the text tells that it is not
     */
    private void done(Operation operation, UndoLog journal) {
        try {
            listener.accept(this);
        } catch (ErrnoException e) {
            throw notKept(operation, journal, e);
        }
        remember(journal);
    }

    private static ErrnoException notKept(Operation operation, UndoLog journal, ErrnoException why) {
        String what;
        if (operation instanceof LnetOperation.Unconfigure || operation instanceof ConfigOperation.Undo) {
            what = "; this was done all the same, and after a restart the configuration before it counts";
        } else if (journal.rollBack()) {
            what = "; the change was taken back";
        } else {
            what = "; the change could not be taken back as a whole, the log of lnetd tells what is left of it";
        }
        return new ErrnoException(why.errno(), DlcException.textOf(why) + what, why);
    }

    private void remember(UndoLog journal) {
        if (journal.isEmpty()) {
            return;
        }
        if (history.size() == MAX_UNDO) {
            history.removeLast();
        }
        history.push(journal);
    }

    private Map<String, Object> edit(Operation.Edit edit, Edits edits) {
        NetControl nets = new NetControl(running, edits);
        PeerControl peers = new PeerControl(edits);
        switch (edit) {
            case NetOperation.Add add -> nets.execute(add);
            case NetOperation.Delete delete -> nets.execute(delete);
            case NetOperation.Set set -> nets.execute(set);
            case PeerOperation.Add add -> peers.execute(add);
            case PeerOperation.Delete delete -> peers.execute(delete);
            case PeerOperation.Set set -> peers.execute(set);
            case BondOperation.Add add -> new BondControl(edits).execute(add);
            case BondOperation.Delete delete -> new BondControl(edits).execute(delete);
            case BondOperation.Set set -> new BondControl(edits).execute(set);
            case O2ibsOperation.Add add -> o2ibs(add).add(add, edits);
            case O2ibsOperation.Delete delete -> o2ibs(delete).delete(Nids.nid(delete.nid()), edits);
            case RouteOperation.Add add -> RouteControl.add(add, edits);
            case RouteOperation.Delete delete -> RouteControl.delete(delete, edits);
            case GlobalOperation.Set set -> GlobalControl.execute(set, edits);
            case UdspOperation.Add add -> UdspControl.add(add, edits);
            case UdspOperation.Delete delete -> UdspControl.delete(delete, edits);
            case ConfigOperation.Import read -> {
                return config.read(read, edits);
            }
        }
        return Map.of();
    }

    private void configure(LnetOperation.Configure configure, UndoLog journal) {
        if (running.isConfigured()) {
            return;
        }
        running.start(running.machine().lnet().build(), configure.large());
        journal.did(running::stop);
        if (configure.all()) {
            new StartParameters(
                            running.machine().parameters(), running.machine().devices())
                    .apply(new Edits(running.require(configure), journal));
        }
    }

    private void unconfigure() {
        history.clear();
        running.stop();
    }

    private void undo() {
        Waiting unwanted = waiting;
        if (unwanted != null) {
            waiting = null;
            unwanted.cancel().run();
            unwanted.journal().rollBack();
            return;
        }
        if (history.isEmpty()) {
            throw new ErrnoException(Errno.ENOENT, "there is no change to undo");
        }
        history.pop().rollBack();
    }

    private Map<String, Object> look(Operation.Query query) {
        return switch (query) {
            case LnetOperation.Status _ -> status();
            case DoctorOperation.Examine examine ->
                new DoctorControl(running).execute(examine).toDocument();
            case NetOperation.Show show ->
                Map.of(
                        "net",
                        new NetView(lnet(show), running.machine())
                                .nets(show.net() == null ? null : Nids.net(show.net()), show.level()));
            case O2ibsOperation.Show show -> o2ibs(show).show(show);
            case O2ibsOperation.Routes routes -> o2ibs(routes).routes(routes);
            case O2ibsOperation.Tunables tunables -> o2ibs(tunables).tunables(tunables);
            case NetStatusOperation.Show status -> o2ibs(status).status(status);
            case PeerOperation.Show show -> peers(lnet(show), show);
            case PeerOperation.List list -> list(lnet(list));
            case GlobalOperation.Show show -> GlobalControl.show(lnet(show), show.java());
            case UdspOperation.Show show -> UdspControl.show(lnet(show), show.idx());
            case BondOperation.Show show -> BondControl.show(lnet(show), show.name());
            case StatsOperation.Show show ->
                Map.of("statistics", lnet(show).statistics().toMap());
            case StatsOperation.Sample sample -> SampleView.of(lnet(sample));
            case FaultOperation.Show show -> new FaultControl(lnet(show).faults()).show(show);
            case DebugOperation debug -> new DebugControl(lnet(debug), running.machine()).execute(debug);
            case ExplainOperation explain -> new ExplainControl(lnet(explain)).execute(explain);
            case ConfigOperation.Export export -> config.export(lnet(export), export.backup());
            case RouteOperation.Show show -> RouteControl.show(lnet(show), show);
            case RoutingOperation.Show show -> RouteControl.routing(lnet(show), false);
        };
    }

    private Map<String, Object> act(Operation.Action action) {
        LNet lnet = lnet(action);
        FaultControl faults = new FaultControl(lnet.faults());
        switch (action) {
            case O2ibsOperation.Check check -> {
                return o2ibs(check).check(check, lnet);
            }
            case TargetOperation.Ping ping -> {
                return new TargetControl(lnet, running.machine()).execute(ping);
            }
            case TargetOperation.Discover discover -> {
                return new TargetControl(lnet, running.machine()).execute(discover);
            }
            case StatsOperation.Reset _ -> lnet.inventory().resetStatistics();
            case FaultOperation.Add add -> faults.add(add);
            case FaultOperation.Delete delete -> faults.delete(delete);
            case FaultOperation.Reset reset -> faults.reset(reset);
        }
        return Map.of();
    }

    /** Returns LNet; fails if it does not run. */
    private LNet lnet(Operation operation) {
        return running.require(operation);
    }

    /** Returns the targets of nets of type o2ib; fails if LNet does not run. */
    private O2ibsControl o2ibs(Operation operation) {
        running.require(operation);
        return new O2ibsControl(running.machine());
    }

    private Map<String, Object> status() {
        return new Doc()
                .put("lnet", running.isConfigured() ? "configured" : "not configured")
                .put("multi-rail", isMultiRail())
                .put("changes to undo", changesToUndo())
                .put("waits for confirmation", isWaiting())
                .map();
    }

    /** Whether LNet is multi-rail as it runs or, where it does not run, would be. */
    private boolean isMultiRail() {
        LNet lnet = running.get();
        return (lnet == null ? running.machine().lnet().build().settings() : lnet.settings()).is(Tunable.MULTI_RAIL);
    }

    private int changesToUndo() {
        synchronized (changes) {
            return history.size();
        }
    }

    private boolean isWaiting() {
        synchronized (changes) {
            return waiting != null;
        }
    }

    private static Map<String, Object> peers(LNet lnet, PeerOperation.Show show) {
        PeerView view = new PeerView(lnet, true);
        if (show.nid() != null) {
            Nid nid = Nids.nid(show.nid());
            PeerInfo peer = lnet.inventory()
                    .peer(nid)
                    .orElseThrow(() -> new ErrnoException(Errno.ENOENT, "no peer with the NID " + nid + " is known"));
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

    /** Returns LNet as it runs, for what only looks at it, such as metrics; null if it does not run. */
    public @Nullable LNet lnet() {
        return running.get();
    }

    /** Stops LNet. */
    @Override
    public void close() {
        synchronized (changes) {
            waiting = null;
            history.clear();
            running.stop();
        }
    }
}
