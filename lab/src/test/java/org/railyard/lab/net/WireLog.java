package org.railyard.lab.net;

import java.util.List;
import org.railyard.lnet.nid.Nid;

/** Writes down what the network says, in a word each. */
record WireLog(List<String> words) implements NetListener {
    @Override
    public void connected(SimMachine machine, Nid from, Nid to) {
        words.add("connected");
    }

    @Override
    public void broken(SimMachine machine, Nid from, Nid to, BreakCause cause) {
        words.add("broken " + cause);
    }

    @Override
    public void lost(Nid from, Nid to) {
        words.add("lost");
    }

    @Override
    public void duplicate(Nid from, Nid to) {
        words.add("duplicate");
    }
}
