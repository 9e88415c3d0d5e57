package org.railyard.cli.fabric;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.host.RealHost;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.umad.UmadSettings;
import org.railyard.mad.umad.UmadTransport;
import org.railyard.sm.live.SubnetReader;

/** A port of this machine through which a running subnet is asked, until closed. For one thread. */
final class OpenSubnet implements AutoCloseable {
    private final UmadTransport transport;
    private final MadRequests requests;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();

    /**
     * Opens the port.
     *
     * @param mKey M_Key of the nodes; 0 for none
     * @throws FabricInputException if it cannot be opened
     */
    OpenSubnet(UmadSettings settings, long mKey) {
        try {
            transport = UmadTransport.open(settings, new RealHost().clock());
        } catch (ErrnoException e) {
            throw new FabricInputException("the running subnet cannot be read: " + e.getMessage(), e);
        }
        requests = new MadRequests(transport, RequestSettings.DEFAULT, (mad, from) -> {});
        requests.keys(List.of(mKey));
        requests.onFailure(failed::completeExceptionally);
    }

    /**
     * Starts something in the loop of the transport, and waits for its end.
     *
     * @param start gets the requests, and what it has to complete
     * @throws FabricInputException if the port fails before the end
     */
    <T> T await(BiConsumer<MadRequests, CompletableFuture<T>> start) {
        CompletableFuture<T> ended = new CompletableFuture<>();
        transport.loop().execute(() -> start.accept(requests, ended));
        try {
            CompletableFuture.anyOf(failed, ended).get();
            return ended.get();
        } catch (ExecutionException e) {
            throw new FabricInputException("the running subnet cannot be read: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FabricInputException("interrupted while the running subnet was read", e);
        }
    }

    /**
     * Reads nodes, cables and tables.
     *
     * @param asksSls whether the subnet administration is asked for the SL of each path
     * @throws FabricInputException if nothing can be read
     */
    LiveSubnet read(boolean asksSls) {
        LiveSubnet subnet = await((asked, ended) -> SubnetReader.start(
                asked, RequestSettings.DEFAULT, transport.port().port(), asksSls, ended::complete));
        if (subnet.fabric().nodeCount() == 0) {
            throw new FabricInputException(transport.port() + ": nothing of the subnet can be read"
                    + (subnet.unread().isEmpty() ? "" : ": " + subnet.unread().getFirst()));
        }
        return subnet;
    }

    @Override
    public void close() {
        transport.close();
    }
}
