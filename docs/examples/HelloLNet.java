import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.GetResult;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.SourcePorts;

/** Two nodes in one program: one offers memory, the other writes to it and reads it back. */
public final class HelloLNet {
    private static final int PORTAL = 42;
    private static final long MAILBOX = 7;

    private HelloLNet() {}

    /** Runs the example and prints what happened. */
    public static void main(String[] args) throws InterruptedException {
        try (Arena arena = Arena.ofShared();
                LNet server = start("127.0.3.1@tcp");
                LNet client = start("127.0.3.2@tcp")) {
            // The server offers 64 bytes at portal 42 under match bits 7, to write and to read.
            MemorySegment mailbox = arena.allocate(64);
            CountDownLatch arrived = new CountDownLatch(1);
            server.attach(
                    MeConfig.of(PORTAL, MAILBOX),
                    MdConfig.of(mailbox)
                            .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                            .withHandler(event -> {
                                if (event.kind() == EventKind.PUT) {
                                    System.out.println("server: " + event.mlength() + " bytes from " + event.initiatorNid());
                                    arrived.countDown();
                                }
                            }));

            // The client names the server by any of its NIDs; LNet discovers the rest.
            ProcessId target = ProcessId.of(Nid.parse("127.0.3.1@tcp"));
            MemorySegment greeting = arena.allocate(64);
            greeting.setString(0, "hello, LNet");
            CompletionStage<PutResult> put = client.put(target, PORTAL, MAILBOX, greeting);
            System.out.println("client: the server stored " + put.toCompletableFuture().join().mlength() + " bytes");
            arrived.await();

            MemorySegment answer = arena.allocate(64);
            CompletionStage<GetResult> get = client.get(target, PORTAL, MAILBOX, answer);
            get.toCompletableFuture().join();
            System.out.println("client: the mailbox says '" + answer.getString(0) + "'");
        }
    }

    /** Starts a node that needs no privilege: a high port, and callers from high ports are believed. */
    private static LNet start(String nid) {
        SockLndConfig socklnd = SockLndConfig.builder()
                .acceptPort(20989)
                .accept(AcceptPolicy.ALL)
                .sourcePorts(SourcePorts.ANY)
                .build();
        return LNet.start(LNetConfig.builder()
                .ni(NiRequest.ofNid(Nid.parse(nid)))
                .lnd(new SockLndProvider(socklnd))
                .build());
    }
}
