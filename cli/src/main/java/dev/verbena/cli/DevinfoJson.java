package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PortAttributes;
import java.io.IOException;

/// A device as JSON, with the names of `ibv_devinfo`.
final class DevinfoJson {
    private static final int PORT = 1;

    private DevinfoJson() {}

    static void write(Device device, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("hca_id", device.name());
        json.writeStringField("transport", "InfiniBand");
        json.writeNumberField("phys_port_cnt", 1);
        json.writeStringField("description", device.description());
        limits(device.limits(), json);
        json.writeArrayFieldStart("ports");
        port(device, json);
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void limits(DeviceLimits limits, JsonGenerator json) throws IOException {
        json.writeNumberField("max_mr_size", limits.regionBytes());
        json.writeNumberField("max_qp", limits.queuePairs());
        json.writeNumberField("max_qp_wr", limits.workRequests());
        json.writeNumberField("max_sge", limits.scatterGather());
        json.writeNumberField("max_cq", limits.completionQueues());
        json.writeNumberField("max_cqe", limits.completions());
        json.writeNumberField("max_mr", limits.memoryRegions());
        json.writeNumberField("max_qp_rd_atom", limits.readsAsResponder());
        json.writeNumberField("max_qp_init_rd_atom", limits.readsAsInitiator());
        json.writeNumberField("max_mw", limits.memoryWindows());
        json.writeNumberField("max_mcast_grp", limits.multicastGroups());
        json.writeNumberField("max_mcast_qp_attach", limits.multicastAttachments());
        json.writeNumberField("max_ah", limits.addressHandles());
        json.writeNumberField("max_srq", limits.sharedReceiveQueues());
    }

    private static void port(Device device, JsonGenerator json) throws IOException {
        PortAttributes port = device.port(PORT);
        json.writeStartObject();
        json.writeNumberField("port", port.number());
        json.writeStringField("state", DevinfoText.state(port.state()));
        json.writeNumberField("max_mtu", port.maxMtu());
        json.writeNumberField("active_mtu", port.activeMtu());
        json.writeNumberField("port_lid", port.lid());
        json.writeStringField("link_layer", DevinfoText.linkLayer(port.linkLayer()));
        json.writeNumberField("max_msg_sz", device.limits().messageBytes());
        json.writeNumberField("bits_per_second", port.bitsPerSecond());
        json.writeArrayFieldStart("gids");
        for (Gid gid : device.gids(PORT)) {
            json.writeString(gid.toString());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("pkeys");
        for (int key : device.partitionKeys(PORT)) {
            json.writeString("0x%04x".formatted(key));
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
