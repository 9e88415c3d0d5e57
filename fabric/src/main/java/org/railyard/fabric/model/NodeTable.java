package org.railyard.fabric.model;

/** The nodes' columns; index = node. The arrays are never changed after building. */
final class NodeTable {
    final NodeType[] type;
    final long[] guid;
    final long[] systemGuid;
    final String[] description;
    /** The same, a character for each byte. */
    final String[] rawDescription;

    final Hardware[] hardware;
    final boolean[] enhancedPort0;
    /** Index of port 0; one entry more than nodes. */
    final int[] firstPort;

    NodeTable(int nodes) {
        type = new NodeType[nodes];
        guid = new long[nodes];
        systemGuid = new long[nodes];
        description = new String[nodes];
        rawDescription = new String[nodes];
        hardware = new Hardware[nodes];
        enhancedPort0 = new boolean[nodes];
        firstPort = new int[nodes + 1];
    }

    /** Returns the node with this GUID among those of ascending GUID from {@code from} to before {@code to}. */
    int find(long wanted, int from, int to) {
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(guid[middle], wanted);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Fabric.NONE;
    }
}
