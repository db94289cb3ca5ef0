// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol

/// A process that the launcher is to start.
struct ProcessOrder {
    let serial: UInt64
    let kind: launcher_process_kind
    /// The app's number with the launcher; 0 for the opener.
    let slot: UInt32
    /// The number of the user that it runs as; 0 for the opener.
    let user: UInt32
    /// Absolute path of the folder that holds the program.
    let folder: String
    let executable: String
    let memoryLimitByteCount: UInt64
    /// Processor seconds after which the kernel ends the process; 0 means that there is no such limit.
    var processorSecondLimit: UInt64 = 0
    var grants = LaunchGrants.none
    /// The opener's memory of what it has opened; `nil` for everybody else.
    var replayFiles: ReplayFiles?
    /// Value of TZ; empty when it is not set.
    let timeZone: String
}

/// The host's ends of a process to be started; its own ends are with the launcher.
struct ProcessEnds {
    let channel: PacketChannel
    let output: OutputPipe
}

extension Launcher {
    /// Sends an order; whether the process runs is reported later.
    ///
    /// The handlers are called on the loop's thread: for the socket over which the process talks, and for the pipe to
    /// which it prints.
    func start(
        _ order: ProcessOrder,
        on loop: EventLoop,
        socketReady: @escaping EventLoop.Handler,
        outputReady: @escaping EventLoop.Handler
    ) throws(SystemError) -> ProcessEnds {
        let socket = try DescriptorPair.packetSocket()
        let output = try DescriptorPair.pipe()
        let folder = try Descriptor.folder(order.folder)
        let storage = try order.grants.storageFolder()
        var request = unsafe launcher_spawn_request()
        unsafe request.serial = order.serial
        unsafe request.kind = order.kind.rawValue
        unsafe request.slot = order.slot
        unsafe request.user = order.user
        unsafe request.memory_limit_bytes = order.memoryLimitByteCount
        unsafe request.cpu_limit_seconds = order.processorSecondLimit
        unsafe request.scratch_bytes = order.grants.scratchByteCount
        unsafe request.flags = order.grants.flags
        unsafe request.socket = socket.peer.raw
        unsafe request.output = output.peer.raw
        unsafe request.bundle_folder = folder.raw
        unsafe request.storage_folder = storage.raw
        unsafe request.replay_files = order.replayFiles?.descriptors ?? (-1, -1)
        unsafe request.replay_file_count = order.replayFiles == nil ? 0 : 2
        let sent = unsafe send(request, of: order)
        guard sent == 0 else { throw SystemError("launcher", -sent) }
        return ProcessEnds(
            channel: try PacketChannel(socket.keepingHost(), on: loop, handler: socketReady),
            output: try OutputPipe(output.keepingHost(), on: loop, handler: outputReady)
        )
    }

    private func send(_ request: launcher_spawn_request, of order: ProcessOrder) -> CInt {
        unsafe order.executable.withCString { executable in
            unsafe order.folder.withCString { path in
                unsafe order.timeZone.withCString { timeZone in
                    unsafe (order.grants.storagePath ?? "").withCString { storagePath in
                        var request = unsafe request
                        unsafe request.executable = executable
                        unsafe request.time_zone = timeZone
                        unsafe request.bundle_path = path
                        unsafe request.storage_path = storagePath
                        return unsafe launcher_send_spawn(socket.raw, &request)
                    }
                }
            }
        }
    }
}
