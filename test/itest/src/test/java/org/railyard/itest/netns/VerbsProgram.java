package org.railyard.itest.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.railyard.host.RealHost;
import org.railyard.itest.kit.Await;
import org.railyard.roce.RoceProvider;
import org.railyard.roce.api.RoceCounters;
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
import org.railyard.verbs.PrivateData;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.WorkChain;

/**
 * Railyard's side of {@link RdmaRxeTest}: verbs over UDP, without LNet, and the orders of {@code rxe-peer.c}. Reads one
 * question per line, answers with one line.
 */
final class VerbsProgram {
    /** The kernel waits seconds for what was lost in an awkward moment. */
    private static final int LIMIT_SECONDS = 50;

    private static final int MESSAGE = 4096;
    private static final int RECEIVES = 16;
    private static final int MEMORY = 1 << 20;
    private static final long SINK = (long) (2 * RECEIVES) * MESSAGE;
    private static final long SECOND = 1_000_000_000L;
    private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final RoceProvider provider;
    private final EventLoop loop;
    private final CmAddress local;
    private final MemorySegment memory = Arena.ofAuto().allocate(SINK + MEMORY, MESSAGE);
    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> completed = new LinkedBlockingQueue<>();
    private final Completion[] batch = Completion.batch(RECEIVES);
    private MemorySegment hello = MemorySegment.NULL;
    private @Nullable CmId id;
    private @Nullable Qp qp;
    private @Nullable ArenaRegion region;

    private VerbsProgram(String address) {
        provider = RoceProvider.open(new RealHost(), List.of(address));
        loop = provider.createEventLoop("verbs");
        local = new CmAddress(provider.interfaces().getFirst().ip(), 0);
    }

    /** Arguments: the own interface or address. */
    public static void main(String[] args) throws IOException {
        VerbsProgram program = new VerbsProgram(args[0]);
        System.out.println("ready");
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            System.out.println(program.answer(line.split(" ")));
        }
        program.provider.close();
    }

    private String answer(String[] words) {
        return switch (words[0]) {
            case "listen" -> listen(Integer.parseInt(words[1]));
            case "connect" -> connect(words[1], Integer.parseInt(words[2]), words[3]);
            case "address" -> local.toString();
            case "news" -> next(news);
            case "echo" -> echo(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "write" -> write(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            case "fetch" -> fetch(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            case "write-with-wrong-key" -> writeWithWrongKey();
            case "fetch-with-wrong-key" -> {
                order('w', known().addressOf(SINK), known().remoteKey() ^ 0x5A5A, 64, 1);
                yield next(completed);
            }
            case "disconnect" -> {
                loop.call(() -> Objects.requireNonNull(id).disconnect());
                yield "disconnected";
            }
            case "count" -> String.valueOf(provider.counters().get(RoceCounters.Counter.valueOf(words[1])));
            default -> "no such question";
        };
    }

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            T first = queue.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (first == null) {
                throw new AssertionError("nothing happens");
            }
            return first;
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }

    private String listen(int port) {
        loop.call(() -> {
            CmId listener = provider.createId(loop, this::onCmEvent);
            listener.bind(new CmAddress(local.ip(), port), false);
            listener.listen();
        });
        return "listening";
    }

    private String connect(String address, int port, String greeting) {
        news.clear();
        hello = Arena.ofAuto().allocate(PrivateData.REQUEST_BYTES);
        hello.setString(0, greeting);
        int ip = 0;
        for (String octet : address.split("\\.")) {
            ip = ip << 8 | Integer.parseInt(octet);
        }
        CmAddress remote = new CmAddress(ip, port);
        loop.call(() -> {
            CmId made = provider.createId(loop, this::onCmEvent);
            made.bind(local, false);
            made.resolveAddress(remote, 5 * SECOND);
        });
        return next(news);
    }

    private void onCmEvent(CmId which, CmEvent event) {
        switch (event.type()) {
            case ADDRESS_RESOLVED -> which.resolveRoute(-1, 5 * SECOND);
            case ROUTE_RESOLVED -> {
                prepare(which);
                which.connect(ConnectParameters.DEFAULT, hello);
            }
            case CONNECT_REQUEST -> {
                CmId request = Objects.requireNonNull(event.request());
                prepare(request);
                news.add("asked: " + event.privateData().getString(0));
                hello = Arena.ofAuto().allocate(PrivateData.REQUEST_BYTES);
                hello.setString(0, "private-data-of-Railyard");
                request.accept(ConnectParameters.DEFAULT, hello);
            }
            case ESTABLISHED ->
                news.add("established: "
                        + (event.privateData().byteSize() == 0
                                ? ""
                                : event.privateData().getString(0)));
            case REJECTED ->
                news.add("rejected for " + event.reason() + ": "
                        + (event.privateData().byteSize() == 0
                                ? ""
                                : event.privateData().getString(0)));
            default -> news.add(event.type().toString().toLowerCase(Locale.ROOT));
        }
    }

    private void prepare(CmId made) {
        id = made;
        received.clear();
        completed.clear();
        VerbsDevice device = Objects.requireNonNull(made.device());
        Pd pd = device.openPd();
        ArenaRegion registered = pd.registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        region = registered;
        Cq cq = device.createCq(4 * RECEIVES, loop, this::onCompletions);
        qp = made.createQp(pd, cq, new QpCapabilities(RECEIVES, RECEIVES, 1));
        for (int slot = 0; slot < RECEIVES; slot++) {
            receiveInto(slot);
        }
        cq.arm();
    }

    private ArenaRegion known() {
        return Objects.requireNonNull(region);
    }

    private void receiveInto(int slot) {
        Objects.requireNonNull(qp)
                .postReceive(slot, known().addressOf((long) slot * MESSAGE), MESSAGE, known().localKey());
    }

    private void onCompletions(Cq cq) {
        cq.arm();
        for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
            for (int i = 0; i < count; i++) {
                Completion each = batch[i];
                if (!each.isSuccess()) {
                    completed.add(each.status().toString());
                } else if (each.operation() == Completion.Operation.RDMA_WRITE) {
                    completed.add("written");
                } else if (each.operation() != Completion.Operation.SEND) {
                    int slot = (int) each.id();
                    byte[] bytes = new byte[each.bytes()];
                    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, (long) slot * MESSAGE, bytes, 0, bytes.length);
                    receiveInto(slot);
                    received.add(bytes);
                }
            }
        }
    }

    private void send(int slot, int length) {
        loop.call(() -> {
            WorkChain chain = new WorkChain();
            chain.send(slot, true)
                    .gather(known().addressOf((long) (RECEIVES + slot) * MESSAGE), length, known().localKey());
            Objects.requireNonNull(qp).postSend(chain);
        });
    }

    private void order(char what, long... numbers) {
        long at = (long) RECEIVES * MESSAGE;
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) what);
        for (int i = 0; i < numbers.length; i++) {
            memory.set(NUMBER, at + 1 + 8L * i, numbers[i]);
        }
        send(0, 1 + 8 * numbers.length);
    }

    private static byte pattern(long seed, long at) {
        return (byte) (seed + at * 31 + (at >> 8));
    }

    /** Sends so many messages at once, and compares what comes back. */
    private String echo(int length, int count) {
        for (int slot = 0; slot < count; slot++) {
            long at = (long) (RECEIVES + slot) * MESSAGE;
            for (int i = 1; i < length; i++) {
                memory.set(ValueLayout.JAVA_BYTE, at + i, pattern(slot, i));
            }
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) 'e');
            send(slot, length);
        }
        for (int slot = 0; slot < count; slot++) {
            byte[] back = next(received);
            for (int i = 1; i < length; i++) {
                if (back.length != length || back[i] != pattern(slot, i)) {
                    return "message " + slot + " of " + back.length + " bytes differs at " + i;
                }
            }
        }
        return "echoed " + count;
    }

    private void fill(int length, long seed) {
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, SINK + i, pattern(seed, i));
        }
    }

    private String write(long address, int key, int length) {
        loop.call(() -> {
            WorkChain chain = new WorkChain();
            chain.write(99, true, address, key).gather(known().addressOf(SINK), length, known().localKey());
            Objects.requireNonNull(qp).postSend(chain);
        });
        return next(completed);
    }

    private String write(int length, long seed) {
        order('k');
        MemorySegment keys = MemorySegment.ofArray(next(received));
        fill(length, seed);
        String status = write(keys.get(NUMBER, 1), (int) keys.get(NUMBER, 9), length);
        order('c', length, seed);
        MemorySegment verdict = MemorySegment.ofArray(next(received));
        return status + ", "
                + (verdict.get(ValueLayout.JAVA_BYTE, 0) == 'y'
                        ? "all as it should be"
                        : "wrong at " + verdict.get(NUMBER, 1));
    }

    private String writeWithWrongKey() {
        order('k');
        MemorySegment keys = MemorySegment.ofArray(next(received));
        return write(keys.get(NUMBER, 1), (int) keys.get(NUMBER, 9) ^ 0x5A5A, 64);
    }

    private String fetch(int length, long seed) {
        fill(MEMORY, seed + 1);
        order('w', known().addressOf(SINK), known().remoteKey() & 0xFFFF_FFFFL, length, seed);
        byte[] done = next(received);
        if (done[0] != 'd') {
            return "answered with " + done[0];
        }
        for (int i = 0; i < MEMORY; i++) {
            byte wanted = pattern(i < length ? seed : seed + 1, i);
            if (memory.get(ValueLayout.JAVA_BYTE, SINK + i) != wanted) {
                return "wrong at " + i;
            }
        }
        return "all as it should be";
    }
}
