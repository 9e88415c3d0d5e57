package org.railyard.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.railyard.host.RealHost;
import org.railyard.roce.api.RoceSettings;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.WorkChain;

/**
 * Two providers on loopback, of which one writes and sends to the other as fast as completions come: each message is a
 * WRITE and an empty SEND behind it.
 */
final class StreamPair implements AutoCloseable {
    private static final int WINDOW = 16;
    private static final int UDP_PORT = 14_794;
    private static final int SERVICE = 987;
    private static final int LIMIT_SECONDS = 60;
    private static final long TIMEOUT_NANOS = 1_000_000_000L;

    /** One side: a loop, a queue pair, memory. */
    private final class Side {
        private final RoceProvider provider;
        private final EventLoop loop;
        private final MemorySegment memory = Arena.ofAuto().allocate(1 << 20, 4096);
        private final Completion[] batch = Completion.batch(WINDOW);
        private final WorkChain chain = new WorkChain();
        private @Nullable Qp qp;
        private @Nullable ArenaRegion region;

        Side(String address) {
            provider = RoceProvider.open(new RealHost(), List.of(address), RoceSettings.DEFAULT.withUdpPort(UDP_PORT));
            loop = provider.createEventLoop("stream");
        }

        void prepare(CmId id) {
            VerbsDevice device = Objects.requireNonNull(id.device());
            Pd pd = device.openPd();
            region = pd.registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            Cq cq = device.createCq(4 * WINDOW, loop, this::onCompletions);
            Qp made = id.createQp(pd, cq, new QpCapabilities(2 * WINDOW, 2 * WINDOW, 1));
            qp = made;
            for (int i = 0; i < 2 * WINDOW; i++) {
                made.postReceive(i, region.addressOf(0), 0, region.localKey());
            }
            cq.arm();
        }

        private void onCompletions(Cq cq) {
            cq.arm();
            for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
                for (int i = 0; i < count; i++) {
                    if (leaving) {
                        continue;
                    }
                    if (!batch[i].isSuccess()) {
                        failure = batch[i].toString();
                        done.countDown();
                    } else if (batch[i].operation() == Completion.Operation.RECEIVE) {
                        Objects.requireNonNull(qp)
                                .postReceive(0, Objects.requireNonNull(region).addressOf(0), 0, region.localKey());
                    } else {
                        next();
                    }
                }
            }
        }
    }

    private final int size;
    private final Side from = new Side("127.0.44.1");
    private final Side to = new Side("127.0.44.2");
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean leaving;
    private volatile CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable String failure;

    /** Of the sending loop. */
    private long left;

    private int underWay;

    StreamPair(int size) {
        this.size = size;
        CmAddress target = new CmAddress(0x7F00_2C02, SERVICE);
        to.loop.call(() -> {
            CmId listening = to.provider.createId(to.loop, this::onListener);
            listening.bind(target, false);
            listening.listen();
        });
        from.loop.call(() -> from.provider.createId(from.loop, this::onActive).resolveAddress(target, TIMEOUT_NANOS));
        await();
    }

    private void onListener(CmId id, CmEvent event) {
        CmId request = event.request();
        if (request != null) {
            to.prepare(request);
            request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
        } else if (event.type() == CmEvent.Type.DISCONNECTED) {
            ended.countDown();
        }
    }

    private void onActive(CmId id, CmEvent event) {
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(-1, TIMEOUT_NANOS);
            case ROUTE_RESOLVED -> {
                from.prepare(id);
                id.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
            }
            case ESTABLISHED -> done.countDown();
            default -> failure = event.toString();
        }
    }

    private void next() {
        underWay--;
        if (left > 0) {
            post();
        } else if (underWay == 0) {
            done.countDown();
        }
    }

    private void post() {
        left--;
        underWay++;
        ArenaRegion source = Objects.requireNonNull(from.region);
        ArenaRegion sink = Objects.requireNonNull(to.region);
        from.chain.clear();
        from.chain
                .write(1, false, sink.addressOf(0), sink.remoteKey())
                .gather(source.addressOf(0), size, source.localKey())
                .send(2, true);
        Objects.requireNonNull(from.qp).postSend(from.chain);
    }

    /** Sends so many messages, and waits until they are acknowledged. */
    void run(int count) {
        done = new CountDownLatch(1);
        from.loop.execute(() -> {
            left = count;
            for (int i = 0; i < WINDOW && left > 0; i++) {
                post();
            }
        });
        await();
    }

    /** Closes the provider that sends, and waits until the other side is told. */
    void leave() {
        leaving = true;
        from.provider.close();
        await(ended);
    }

    private void await() {
        await(done);
    }

    private void await(CountDownLatch what) {
        try {
            if (!what.await(LIMIT_SECONDS, TimeUnit.SECONDS) || failure != null) {
                throw new AssertionError("stopped: " + failure);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        from.provider.close();
        to.provider.close();
    }
}
