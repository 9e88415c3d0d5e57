package org.railyard.control.node;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.config.Configuration;
import org.railyard.control.BondOperation;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DebugOperation;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.DoctorOperation;
import org.railyard.control.DocumentSink;
import org.railyard.control.EventsOperation;
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
import org.railyard.lnet.api.EventRing;
import org.railyard.lnet.api.Tunable;

/** The configuration of a node of this process. Starts without LNet; {@link LnetOperation.Configure} brings it. */
public final class NodeDlc implements Dlc, AutoCloseable {
    /** Most changes that can be undone. */
    static final int MAX_UNDO = 16;

    private static final String PARTLY_TAKEN_BACK =
            "the change could not be taken back as a whole, the log of lnetd tells what is left of it";

    private final Running running;
    private final ConfigControl config;
    private final EventRing events = new EventRing();
    private final EventsControl eventsControl = new EventsControl(events);
    /** Taken before that of changes, if both are. */
    private final Object imports = new Object();

    private final Object changes = new Object();
    private final Deque<UndoLog> history = new ArrayDeque<>();
    private @Nullable Waiting waiting;
    private Consumer<NodeDlc> listener = dlc -> {};

    /** Makes one without LNet. */
    public NodeDlc(NodeEnvironment machine) {
        this.running = new Running(machine);
        this.config = new ConfigControl(running);
    }

    /**
     * Tells a listener after each change of the configuration, on the thread that made it, before its call returns. If
     * it throws an {@link ErrnoException} the change is taken back and its call fails. Before the first operation.
     */
    public void onChange(Consumer<NodeDlc> told) {
        listener = told;
    }

    @Override
    public Map<String, Object> execute(Operation operation) {
        try {
            return switch (operation) {
                case ConfigOperation.Import read when ConfigControl.isChange(read) -> change(read);
                case ConfigOperation.Import read ->
                    perform(new OperationContext(running, read, new UndoLog(), parse(read)));
                case Operation.Change change -> change(change, Configuration.EMPTY);
                default -> perform(new OperationContext(running, operation, new UndoLog()));
            };
        } catch (ErrnoException e) {
            throw new DlcException(operation, e);
        }
    }

    @Override
    public void follow(EventsOperation.Show which, DocumentSink to) throws InterruptedException {
        try {
            eventsControl.follow(which, to);
        } catch (ErrnoException e) {
            throw new DlcException(which, e);
        }
    }

    /** One large document at a time, which may take long to read: other changes, and the end, do not wait for that. */
    private Map<String, Object> change(ConfigOperation.Import read) {
        synchronized (imports) {
            return change(read, parse(read));
        }
    }

    /** What changes nothing may wait for the network, and nobody waits for it; only large documents take turns. */
    private Configuration parse(ConfigOperation.Import read) {
        synchronized (imports) {
            running.requireGoing();
            return config.parse(read);
        }
    }

    private Map<String, Object> change(Operation.Change change, Configuration document) {
        synchronized (changes) {
            running.requireGoing();
            UndoLog journal = new UndoLog();
            OperationContext context = new OperationContext(running, change, journal, document);
            if (change instanceof ConfigOperation.Confirm) {
                return perform(context);
            }
            requireNothingWaits(change);
            Map<String, Object> answer;
            try {
                answer = perform(context);
            } catch (Deleter.PartlyDone e) {
                if (!journal.isEmpty()) {
                    keepOrWait(change, journal);
                }
                throw e.toFailure();
            } catch (RuntimeException | Error e) {
                if (!running.isEnding()) {
                    journal.rollBack();
                }
                throw e;
            }
            keepOrWait(change, journal);
            return answer;
        }
    }

    private void keepOrWait(Operation.Change change, UndoLog journal) {
        if (change instanceof ConfigOperation.Import read && read.confirmWithin() != null) {
            awaitConfirmation(journal, read.confirmWithin());
        } else {
            done(change, journal);
        }
    }

    /** Each group has a class that does its operations. */
    private Map<String, Object> perform(OperationContext context) {
        return switch (context.operation()) {
            case BondOperation bond -> BondControl.execute(bond, context);
            case ConfigOperation configuration -> configuration(configuration, context);
            case DebugOperation debug -> DebugControl.execute(debug, context);
            case DoctorOperation doctor -> DoctorControl.execute(doctor, context);
            case EventsOperation told -> eventsControl.execute(told);
            case ExplainOperation explain -> ExplainControl.execute(explain, context);
            case FaultOperation fault -> FaultControl.execute(fault, context);
            case GlobalOperation global -> GlobalControl.execute(global, context);
            case LnetOperation lnet -> lnet(lnet, context);
            case NetOperation net -> NetControl.execute(net, context);
            case NetStatusOperation status -> O2ibsControl.execute(status, context);
            case O2ibsOperation o2ibs -> O2ibsControl.execute(o2ibs, context);
            case PeerOperation peer -> PeerControl.execute(peer, context);
            case RouteOperation route -> RouteControl.execute(route, context);
            case RoutingOperation routing -> RouteControl.execute(routing, context);
            case StatsOperation stats -> StatsControl.execute(stats, context);
            case TargetOperation target -> TargetControl.execute(target, context);
            case UdspOperation udsp -> UdspControl.execute(udsp, context);
        };
    }

    private Map<String, Object> configuration(ConfigOperation operation, OperationContext context) {
        switch (operation) {
            case ConfigOperation.Export export -> {
                return config.export(
                        context.lnet(), export.backup() ? ConfigControl.Extent.BACKUP : ConfigControl.Extent.ALL);
            }
            case ConfigOperation.Import read -> {
                return config.read(read, context.document(), context.edits());
            }
            case ConfigOperation.Confirm _ -> confirm();
            case ConfigOperation.Undo undo -> undo(undo);
        }
        return Map.of();
    }

    private Map<String, Object> lnet(LnetOperation operation, OperationContext context) {
        switch (operation) {
            case LnetOperation.Status _ -> {
                return status();
            }
            case LnetOperation.Configure configure -> configure(configure, context.journal());
            case LnetOperation.Unconfigure _ -> unconfigure();
        }
        return Map.of();
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
            what = "; " + PARTLY_TAKEN_BACK;
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

    private void configure(LnetOperation.Configure configure, UndoLog journal) {
        if (running.isConfigured()) {
            return;
        }
        running.start(running.machine().lnet().listener(events).build(), configure.large());
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

    private void undo(ConfigOperation.Undo undo) {
        if (unwanted().rollBack()) {
            return;
        }
        // Another undo would not bring the rest back: what is there now is the configuration.
        done(undo, new UndoLog());
        throw new ErrnoException(Errno.EIO, PARTLY_TAKEN_BACK);
    }

    /** Returns the change that waits; the last one if none does. */
    private UndoLog unwanted() {
        Waiting unconfirmed = waiting;
        if (unconfirmed != null) {
            waiting = null;
            unconfirmed.cancel().run();
            return unconfirmed.journal();
        }
        if (history.isEmpty()) {
            throw new ErrnoException(Errno.ENOENT, "there is no change to undo");
        }
        return history.pop();
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

    /** What was done so far is what the node starts with: no change that anybody would want to undo. */
    public void forgetChanges() {
        synchronized (changes) {
            history.clear();
        }
    }

    /**
     * Returns the configuration as a later start is to find it: a backup without the peers that are only known from the
     * network. Configured, discovery could change them no more. Empty if LNet does not run.
     */
    public Map<String, Object> kept() {
        LNet lnet = running.get();
        return lnet == null ? Map.of() : config.export(lnet, ConfigControl.Extent.CONFIGURED);
    }

    /** Returns LNet as it runs, for what only looks at it, such as metrics; null if it does not run. */
    public @Nullable LNet lnet() {
        return running.get();
    }

    /**
     * Refuses changes from now on, and the rest of one that is under way: it is not kept, nor taken back, for which
     * nobody would wait.
     */
    public void end() {
        running.end();
    }

    /** Stops LNet, after {@link #end}. */
    @Override
    public void close() {
        end();
        synchronized (changes) {
            waiting = null;
            history.clear();
            running.stop();
        }
    }
}
