package org.railyard.fabric.format;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code opensm-torus.dump}: the coordinates of each switch (spec 31 §5.7).
 *
 * @param places one per placed switch, z slowest, x fastest
 */
public record TorusDump(List<Place> places) {
    private static final int MAX_COORDINATE = 0xFFFF;

    /** Takes a copy. */
    public TorusDump {
        places = List.copyOf(places);
    }

    /** One switch: coordinates from 0, node GUID, description. */
    public record Place(int x, int y, int z, long guid, String description) {}

    /**
     * Reads the file.
     *
     * @throws FormatException if a line is malformed
     */
    public static TorusDump parse(CharSequence text) {
        List<Place> places = new ArrayList<>();
        LineScanner in = new LineScanner(text);
        while (in.nextLine()) {
            if (in.onlyBlanksLeft()) {
                continue;
            }
            in.expect("switch ");
            int x = in.decimal(MAX_COORDINATE, "x");
            in.expect(",");
            int y = in.decimal(MAX_COORDINATE, "y");
            in.expect(",");
            int z = in.decimal(MAX_COORDINATE, "z");
            in.expect(" GUID ");
            long guid = in.hex("switch GUID");
            in.expect(" (");
            places.add(new Place(x, y, z, guid, in.upToLast(")", "the description")));
            in.expectEnd();
        }
        return new TorusDump(places);
    }

    /** Returns the file. */
    public String text() {
        StringBuilder out = new StringBuilder();
        for (Place place : places) {
            out.append("switch %d,%d,%d GUID 0x%x (%s)\n"
                    .formatted(place.x, place.y, place.z, place.guid, Sanitiser.clean(place.description)));
        }
        return out.toString();
    }
}
