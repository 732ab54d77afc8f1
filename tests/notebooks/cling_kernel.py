"""A Jupyter kernel over Cling (`pip install cppyy ipykernel`), to run notebooks through Jupyter where conda-forge's kernels
cannot be had. It sends a picture as they do.
"""
from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

import cling


class ClingKernel(Kernel):
    implementation, implementation_version, banner = "cling", "1", "C++17 by Cling"
    language_info = {"name": "c++", "mimetype": "text/x-c++src", "file_extension": ".cpp"}

    def start(self):
        self.interpreter = cling.make_interpreter()
        super().start()

    def do_execute(self, code, silent, *_, **__):
        printed = cling.run_cell(self.interpreter, code)
        if printed is None:
            error = {"ename": "error", "evalue": "this cell does not run", "traceback": []}
            self.send_response(self.iopub_socket, "error", error)
            return {"status": "error", "execution_count": self.execution_count, **error}
        text, pictures = printed
        if text:
            self.send_response(self.iopub_socket, "stream", {"name": "stdout", "text": text})
        for picture in pictures:
            bundle = {"text/html": picture.split("\n", 1)[1]}
            self.send_response(self.iopub_socket, "display_data", {"data": bundle, "metadata": {}})
        return {"status": "ok", "execution_count": self.execution_count, "payload": [], "user_expressions": {}}


if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=ClingKernel)
