package org.railyard.o2iblnd;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.railyard.base.wire.WireFormatException;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.softverbs.SoftNode;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;

/** Answers requests for connections as it is told to. */
final class RawListener {
    /**
     * What to do with a request.
     *
     * @param accept whether to accept it
     * @param data private data of the answer
     */
    record Answer(boolean accept, MemorySegment data) {}

    private final SoftNode node;
    private final EventLoop loop;
    private final Function<KibMessage, Answer> script;
    private final List<KibMessage> requests = new ArrayList<>();

    RawListener(SoftNode node, CmAddress at, Function<KibMessage, Answer> script) {
        this.node = node;
        this.script = script;
        this.loop = node.createEventLoop("listener");
        loop.execute(() -> {
            CmId id = this.node.createId(loop, this::onCmEvent);
            id.bind(at, false);
            id.listen();
        });
    }

    List<KibMessage> requests() {
        return requests;
    }

    private void onCmEvent(CmId id, CmEvent event) {
        CmId request = event.request();
        if (request == null) {
            return;
        }
        KibMessage message = new KibMessage();
        try {
            message.read(event.privateData(), 0, event.privateData().byteSize());
        } catch (WireFormatException e) {
            throw new IllegalStateException(e);
        }
        requests.add(message);
        Answer answer = script.apply(message);
        if (answer.accept) {
            VerbsDevice device = Objects.requireNonNull(request.device());
            Pd pd = device.openPd();
            Cq cq = device.createCq(10, loop, _ -> {});
            request.createQp(pd, cq, new QpCapabilities(5, 5, 1));
            request.accept(ConnectParameters.DEFAULT, answer.data);
        } else {
            request.reject(answer.data);
        }
    }
}
