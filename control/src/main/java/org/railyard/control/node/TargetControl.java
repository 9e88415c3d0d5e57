package org.railyard.control.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.TargetOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.nid.Nid;

/** Pings and discovers: all targets at once, the answers in the order of the targets (spec 12 §2.6, §4.8). */
final class TargetControl {
    private static final int DEFAULT_TIMEOUT = 1;

    private final LNet lnet;
    private final NodeEnvironment machine;

    TargetControl(LNet lnet, NodeEnvironment machine) {
        this.lnet = lnet;
        this.machine = machine;
    }

    static Map<String, Object> execute(TargetOperation operation, OperationContext context) {
        return new TargetControl(context.lnet(), context.machine()).execute(operation);
    }

    /** Waits for the answers. */
    Map<String, Object> execute(TargetOperation operation) {
        return switch (operation) {
            case TargetOperation.Ping ping -> ping(ping);
            case TargetOperation.Discover discover -> discover(discover);
        };
    }

    private Map<String, Object> ping(TargetOperation.Ping ping) {
        List<Nid> targets = Nids.targets(ping.nids(), machine);
        Nid source = ping.source() == null ? Nid.ANY : Nids.nid(ping.source());
        int limit = ping.timeout() == null ? 0 : ping.timeout();
        if (limit < 0 || limit > TargetOperation.MAX_TIMEOUT) {
            throw new ErrnoException(
                    Errno.EINVAL, "timeout " + limit + " s; expected 0…" + TargetOperation.MAX_TIMEOUT);
        }
        int seconds = limit == 0 ? DEFAULT_TIMEOUT : limit;
        boolean foreign =
                !source.isAny() && !source.isLoopback() && !lnet.nids().contains(source);
        return answers("ping", targets, target -> {
            if (foreign) {
                throw new ErrnoException(Errno.EINVAL, source + " is no NID of this node; it has " + lnet.nids());
            }
            return ask(target, source, Duration.ofSeconds(seconds), Boolean.TRUE.equals(ping.probe()))
                    .thenApply(reply -> answer(
                            target.isLoopback() ? target : reply.primaryNid(),
                            target.isLoopback() || reply.multiRail(),
                            reply.nids()));
        });
    }

    private CompletionStage<PingReply> ask(Nid target, Nid source, Duration limit, boolean probe) {
        return probe ? lnet.inventory().probe(target, source, limit) : lnet.ping(target, source, limit);
    }

    /** Discovers; waits for the answers. */
    private Map<String, Object> discover(TargetOperation.Discover discover) {
        List<Nid> targets = Nids.targets(discover.nids(), machine);
        return answers("discover", targets, target -> {
            if (target.isLoopback()) {
                return CompletableFuture.completedStage(answer(target, true, lnet.nids()));
            }
            if (lnet.nids().contains(target)) {
                // The node knows itself, whatever becomes of the ping; but from now on it has a peer of its own NIDs.
                return lnet.ping(target, Nid.ANY, Duration.ofSeconds(DEFAULT_TIMEOUT))
                        .handle((reply, failure) -> target)
                        .thenCompose(nid -> lnet.discover(nid, false))
                        .thenApply(peer -> answer(target, true, lnet.nids()));
            }
            return lnet.discover(target, discover.force())
                    .thenApply(peer -> answer(
                            peer.primaryNid(),
                            peer.multiRail(),
                            peer.nis().stream().map(PeerNiInfo::nid).toList()));
        });
    }

    private static Object answer(Nid primary, boolean multiRail, List<Nid> nids) {
        List<Object> list = new ArrayList<>();
        nids.forEach(nid -> list.add(new Doc().put("nid", nid.toString()).map()));
        return new Doc()
                .put("primary nid", primary.toString())
                .put("Multi-Rail", multiRail)
                .put("peer_ni", list)
                .map();
    }

    private Map<String, Object> answers(
            String name, List<Nid> targets, Function<Nid, CompletionStage<Object>> question) {
        List<CompletionStage<Object>> asked = targets.stream()
                .map(target -> asked(() -> question.apply(target)))
                .toList();
        List<Object> good = new ArrayList<>();
        List<Object> bad = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            try {
                good.add(asked.get(i).toCompletableFuture().join());
            } catch (CompletionException | CancellationException e) {
                if (!(e.getCause() instanceof ErrnoException why)) {
                    throw e;
                }
                bad.add(failure(name, targets.get(i), why));
            }
        }
        Doc document = new Doc();
        if (!good.isEmpty()) {
            document.put(name, good);
        }
        if (!bad.isEmpty()) {
            document.put("manage", bad);
        }
        return document.map();
    }

    private static CompletionStage<Object> asked(Supplier<CompletionStage<Object>> question) {
        try {
            return question.get();
        } catch (ErrnoException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private Object failure(String name, Nid target, ErrnoException failed) {
        // The time limit of a ping is shorter than the one after which the system tells the transport.
        boolean nobody = failed.errno() == Errno.ETIMEDOUT && target.isNid4() && machine.isUnanswered(target.address());
        ErrnoException why = nobody ? new ErrnoException(Errno.EHOSTUNREACH, "nobody has the address") : failed;
        // Its value is nothing, as in all failures (spec 12 §1.3).
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put(name, null);
        document.put("errno", (long) why.errno().status());
        document.put("descr", TargetOperation.failure(target, why, lnet.nids()));
        return document;
    }
}
